import { type JsonSchema, json, objectOf } from '#libs/payloads';
import { SCOPES, SCOPE_SETS, type Scope } from '#libs/entities';
import { IDEMPOTENCY_KEPT_DAYS } from '#libs/delivery';
import { IDEMPOTENCY_KEY } from '../layers/edge/idempotency.service.js';
import { MAX_ERRORS } from '../layers/edge/problem.js';
import { OAUTH_SCHEMAS } from './oauth-schemas.js';
import { inHeader } from './operation.js';
import { SCOPE_TEXTS } from '#libs/access';
import { PUBLIC_SCHEMAS } from './public-paths.js';
import { PROBLEMS, textHeader } from './responses.js';

const INVALID_FIELD = objectOf({
  field: json.text('Path of the field, such as `from.email`.'),
  code: json.text('One of the codes at `/docs/errors`.'),
  message: json.text('Explanation for people.'),
});
const EXISTING = objectOf({ id: json.id, href: json.href, event: json.text('Its kind of event.') });

const Problem: JsonSchema = {
  description: 'RFC 9457. `error` is stable and meant for programs; `detail` is for people and may change.',
  ...objectOf({
    type: { type: 'string', format: 'uri-reference', description: 'Link to the explanation of this `error`.' },
    title: json.text('The name of the status.'),
    status: json.integer('The HTTP status.'),
    detail: json.text('What went wrong, for people.'),
    instance: json.text('Path of the request.'),
    request_id: json.text('`X-Request-Id` of the response, for support.'),
    error: json.text('One of the codes at `/docs/errors`. New ones may be added.'),
    errors: { ...json.listOf(INVALID_FIELD, 'With 422: the invalid fields.'), maxItems: MAX_ERRORS },
    existing: json.listOf(EXISTING, 'With the code `already_registered`: the webhooks that are in the way.'),
    merged_into: json.integer('With the code `merged`: number of the ticket that has the messages now.'),
  }),
  required: ['type', 'title', 'status', 'detail', 'instance', 'request_id', 'error'],
};

const pageUrl = (description: string): JsonSchema => ({ ...json.nullableText(description), format: 'uri' });

const PER_PAGE = json.integer('Maximum number of records on a page.');
const PAGE = {
  description: 'Where this page is in the list.',
  ...objectOf({
    current_page: json.integer('Number of this page.'),
    total_pages: json.integer('Number of pages, if all are full.'),
    total_count: json.integer('Counted up to 10,000.'),
    per_page: PER_PAGE,
    next_page: pageUrl('URL of the next page. Null on the last one.'),
    prev_page: pageUrl('URL of the previous page. Null on the first one.'),
    total_count_capped: json.flag('Present and true if there are more records than were counted.'),
  }),
  required: ['current_page', 'total_pages', 'total_count', 'per_page', 'next_page', 'prev_page'],
};

const Meta = objectOf({ pagination: PAGE }, 'About the list.');

const NEXT_PAGE = pageUrl('URL of the next page. Null if there is nothing more yet.');
const FEED_PAGE = objectOf({ per_page: PER_PAGE, next_page: NEXT_PAGE }, 'Where the feed continues.');
const CURSOR = json.text('Pass this to continue, now or later.');
const FeedMeta = objectOf({ cursor: CURSOR, pagination: FEED_PAGE }, 'About the feed.');

/** One or more entity tags (RFC 9110), or `*`. 4,000 characters fit into the headers of a request. */
const ETAGS: JsonSchema = {
  type: 'string',
  pattern: String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?:, ?(?:W/)?"[!#-~]*")*)$`,
  maxLength: 4000,
  examples: ['"5c0aFVLm4Qk"'],
};

function describeScope(scope: Scope): string {
  const members = SCOPE_SETS[scope as keyof typeof SCOPE_SETS]?.filter((member) => member !== scope);
  return `${SCOPE_TEXTS[scope].sentence}${members ? `. Includes ${members.join(', ')}` : ''}`;
}

const STRICT =
  '`handling=strict` refuses unknown query parameters (400) and unknown or read-only fields (422). Otherwise they are ignored and listed in `Deskwire-Ignored`.';
const REPEATS = `A repeat within ${IDEMPOTENCY_KEPT_DAYS} days returns the first response again.`;

export const components = (base: string, named: Readonly<Record<string, JsonSchema>>) => ({
  schemas: { ...named, Problem, Meta, FeedMeta, ...OAUTH_SCHEMAS, ...PUBLIC_SCHEMAS },
  responses: PROBLEMS,
  headers: {
    Location: textHeader('URL of the new record.'),
    RequestId: textHeader('ID of the request, for support. The client’s own ID if it sent one.'),
    RateLimit: textHeader('Requests left in this minute, and the seconds until it ends.'),
    ETag: textHeader('The entity tag of this response.'),
    Ignored: textHeader('Unknown and read-only names in the request.'),
    RetryAfter: textHeader('Seconds to wait before the next request.'),
    Authenticate: textHeader('What was wrong with the token (RFC 6750).'),
    Allow: textHeader('Methods that the URL supports.'),
    Link: textHeader('The first, previous, next and last page (RFC 8288).'),
  },
  parameters: {
    IdempotencyKey: inHeader('Idempotency-Key', REPEATS, {
      schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
    }),
    IfMatch: inHeader('If-Match', '412 if the record, or for a reply the ticket, has changed.', { schema: ETAGS }),
    Prefer: inHeader('Prefer', STRICT),
    IfNoneMatch: inHeader('If-None-Match', 'Returns 304 if the record still has this ETag.', { schema: ETAGS }),
  },
  securitySchemes: {
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          authorizationUrl: `${base}/oauth/authorize`,
          tokenUrl: `${base}/oauth/token`,
          refreshUrl: `${base}/oauth/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, describeScope(scope)])),
        },
      },
    },
    token: {
      type: 'http',
      scheme: 'bearer',
      description: 'An access token of an application or a personal access token.',
    },
  },
});
