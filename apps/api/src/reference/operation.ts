import type { JsonSchema } from '#libs/payloads';
import { waysOf } from '../layers/oauth/required-scopes.js';
import { type NamedSchemas, WITHOUT_NUL, dtoFields } from './dto-schema.js';
import { ERROR_CODES } from './error-codes.js';
import { OPERATION_DESCRIPTIONS } from './operation-descriptions.js';
import { mailBodyOf, multipartBodyOf, requestBodyOf, withoutNull } from './request-bodies.js';
import { problemResponsesOf, successResponsesOf } from './responses.js';
import type { Route } from './routes.js';

/** One recorded call of the operation; test/docs/examples.spec.ts records them. */
export interface Example {
  readonly path: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

export function operationOf(route: Route, schemas: NamedSchemas, example: Example | undefined) {
  const { description, body, scopes } = route;
  return {
    operationId: route.id,
    summary: description.summary,
    tags: [route.path.split('/')[2]!],
    description: descriptionOf(route),
    security: [...securityOf(scopes), { token: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && { requestBody: requestBodyOf(body, schemas, example?.request) }),
    ...(description.files && { requestBody: multipartBodyOf(description.files.most, schemas) }),
    ...(description.mail && { requestBody: mailBodyOf(schemas) }),
    responses: { ...successResponsesOf(route, schemas, example?.response), ...problemResponsesOf(route) },
    ...(example && { 'x-example-path': example.path, 'x-example-status': example.status }),
  };
}

/** The API does not start when an operation has no description. */
function descriptionOf({ id, description: { emits, conflicts = [] } }: Route): string {
  const words = OPERATION_DESCRIPTIONS[id];
  if (!words) throw new Error(`The operation ${id} needs a sentence in OPERATION_DESCRIPTIONS`);
  const sentences = [
    ...(emits ? [`May emit ${emits.join(', ')}.`] : []),
    ...conflicts.map((code) => `409 \`${code}\`: ${ERROR_CODES[code]}`),
  ];
  return [words, ...sentences].join(' ');
}

/** Alternatives are separate entries; within one entry, every scope is required. */
const securityOf = (scopes: Route['scopes']) => waysOf(scopes).map((way) => ({ oauth2: way }));

/** Optional text, unless `more` says otherwise. */
const parameterIn =
  (place: 'path' | 'query' | 'header') =>
  (name: string, description: string, more: { readonly required?: boolean; readonly schema?: JsonSchema } = {}) => ({
    required: false,
    schema: { type: 'string' } as JsonSchema,
    ...more,
    name,
    in: place,
    description,
  });

export const inPath = parameterIn('path');
export const inQuery = parameterIn('query');
export const inHeader = parameterIn('header');

/** An operation that needs no token. */
export const publicOperation = <Operation extends object>(
  [tag, operationId]: readonly [tag: string, operationId: string],
  summary: string,
  operation: Operation,
) => ({
  operationId,
  summary,
  description: OPERATION_DESCRIPTIONS[operationId]!,
  tags: [tag],
  security: [],
  ...operation,
});

const PATH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  number: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
  key: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,100}$' },
};
const TEXT: JsonSchema = { type: 'string', minLength: 1, maxLength: 320, pattern: WITHOUT_NUL };

const pathParameters = ({ path, parameters }: Route) =>
  parameters.map((name) =>
    inPath(name, pathDescription(path, name), { required: true, schema: PATH_SCHEMAS[name] ?? TEXT }),
  );

/** The API does not start when a path parameter has no description. */
function pathDescription(path: string, name: string): string {
  const [before = ''] = path.split(`/{${name}}`);
  const key = `${before.split('/').at(-1)}/${name}`;
  const words = PATH_DESCRIPTIONS[key];
  if (!words) throw new Error(`The parameter ${name} of ${path} needs a description in PATH_DESCRIPTIONS: ${key}`);
  return words;
}

/** Descriptions of path parameters, by the segment before them and their name. */
const PATH_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'tickets/number': 'Number of the ticket.',
  'tags/tag': 'Name of the tag.',
  'change_mailbox/mailbox_id': 'Id of the mailbox.',
  'customers/email': 'Email or id of the customer.',
  'agents/email': 'Email or id of the agent.',
  'groups/id': 'Id or name of the group.',
  'saved_replies/id': 'Id of the saved reply.',
  'mailboxes/id': 'Id, name or email of the mailbox.',
  'messages/id': 'Id of the message.',
  'attachments/id': 'Id of the attachment.',
  'arrivals/id': 'Id of the arrival.',
  'webhooks/id': 'Id of the webhook.',
  'by-key/key': 'Your own name for the webhook: 1 to 100 letters, digits or any of `._:-`.',
  'deliveries/id': 'Id of the delivery.',
  'replays/id': 'Id of the replay.',
  'events/id': 'Id of the event.',
};

const queryParameters = ({ path, query }: Route) =>
  (query ? dtoFields(query) : []).map(({ name, schema: { description, ...schema }, required }) => {
    if (description === undefined)
      throw new Error(`The parameter ${name} of ${path} needs @ApiDescription: it is in the OpenAPI document`);
    return {
      ...inQuery(name, description, { required, schema: withoutNull(schema) }),
      ...(schema.items && { style: 'form', explode: false }),
    };
  });

function headerParameters({ method, takesIfMatch, description }: Route) {
  const names = [
    'Prefer',
    ...(method === 'get' ? ['IfNoneMatch'] : []),
    ...(method === 'post' && !description.mail ? ['IdempotencyKey'] : []),
    ...(takesIfMatch ? ['IfMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
