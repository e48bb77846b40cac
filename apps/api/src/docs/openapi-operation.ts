import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import type { NamedRecord } from '../http/api-operation.decorator.js';
import { dtoFields, dtoSchema } from './dto-schema.js';
import type { Route } from './route-scanner.js';

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: ref('Problem') } },
});

/** The problems that routes can answer, by status. */
export const PROBLEMS = {
  400: problem('The request cannot be read.'),
  401: problem('There is no access token, or it is not valid.'),
  403: problem('The token’s scope or the agent’s role does not allow this.'),
  404: problem('There is no such record in this account.'),
  409: problem('The record’s present state does not allow this, or an Idempotency-Key is in use.'),
  412: problem('The record has changed since it was read.'),
  413: problem('The body is too large.'),
  414: problem('A part of the address is too long.'),
  415: problem('The body is of a type that is not read here.'),
  422: problem('Some fields are not valid; `errors` names each.'),
  429: problem('The token has made too many requests.'),
  503: problem('The database, or where files are kept, cannot be reached just now; nothing was changed.'),
} as const;

type ProblemStatus = keyof typeof PROBLEMS;

export function operationOf(route: Route) {
  const { description, body, scopes } = route;
  return {
    operationId: route.id,
    summary: description.summary,
    tags: [route.path.split('/')[2]!],
    ...textOf(description),
    security: [...securityOf(scopes), { token: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && { requestBody: requestBodyOf(dtoSchema(body)) }),
    ...(description.files && { requestBody: multipartBodyOf(description.files.most) }),
    responses: {
      ...successResponsesOf(route),
      ...Object.fromEntries(problemStatusesOf(route).map((status) => [status, problemRef(status)])),
    },
  };
}

/** One scope of several is enough. */
const securityOf = (scopes: readonly string[]) =>
  scopes.length === 0 ? [{ oauth2: [] }] : scopes.map((scope) => ({ oauth2: [scope] }));

const problemRef = (status: ProblemStatus) => ({ $ref: `#/components/responses/${status}` });

const pathParameters = ({ parameters }: Route) =>
  parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'number' ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }));

const queryParameters = ({ query }: Route) =>
  query
    ? dtoFields(query).map(({ name, schema: { description, ...schema }, required }) => ({
        name,
        in: 'query',
        required,
        ...(description !== undefined && { description }),
        schema: withoutNull(schema),
        ...(schema.items && { style: 'form', explode: false }),
      }))
    : [];

/** A query has no null. */
function withoutNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(type !== undefined && { type: [type].flat().find((one) => one !== 'null')! }),
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

function headerParameters({ method, parameters }: Route) {
  const names = [
    'Prefer',
    ...(method === 'get' ? ['IfNoneMatch'] : []),
    ...(method === 'post' ? ['IdempotencyKey'] : []),
    ...(method !== 'get' && parameters.length > 0 ? ['IfMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

const requestBodyOf = (schema: JsonSchema) => ({
  required: (schema.required ?? []).length > 0,
  content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
});

const multipartBodyOf = (maxItems: number) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: objectOf({ files: { type: 'array', maxItems, items: { type: 'string', format: 'binary' } } }),
    },
  },
});

function successResponsesOf({ description, status, method }: Route) {
  const { record, records, list, feed, created, createdAll, accepted } = description;
  if (createdAll)
    return { 201: json('Created.', arraySchema(createdAll), ['Location', 'RequestId', 'RateLimit', 'Ignored']) };
  if (created)
    return { 201: json('Created.', recordSchema(created), ['Location', 'RequestId', 'RateLimit', 'Ignored']) };
  if (accepted)
    return { 202: json('It will be done.', recordSchema(accepted), ['Location', 'RequestId', 'RateLimit', 'Ignored']) };
  if (list) return { 200: json('One page.', pageSchema(list), [...READ_HEADERS, 'Link']), ...NOT_MODIFIED };
  const schema =
    description.responseSchema ??
    (record && recordSchema(record)) ??
    (records && arraySchema(records)) ??
    (feed && feedSchema(feed));
  if (!schema)
    return { [status ?? 204]: { description: 'Done.', headers: headers(['RequestId', 'RateLimit', 'Ignored']) } };
  const read = method === 'get';
  return {
    200: json('As it is now.', schema, read ? READ_HEADERS : ['RequestId', 'RateLimit', 'Ignored']),
    ...(read && NOT_MODIFIED),
  };
}

const READ_HEADERS = ['RequestId', 'RateLimit', 'Ignored', 'ETag'];
const NOT_MODIFIED = { 304: { description: 'Unchanged since it was read with this ETag.' } };

const json = (description: string, schema: JsonSchema, names: readonly string[]) => ({
  description,
  headers: headers(names),
  content: { 'application/json': { schema } },
});

/** What the statuses and schemas do not tell. */
function textOf({ emits, conflicts }: Route['description']): { description?: string } {
  const sentences = [
    ...(emits ? [`May emit ${emits.join(', ')}.`] : []),
    ...(conflicts ? [`Its own codes of 409: ${conflicts.join(', ')}.`] : []),
  ];
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

const headers = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]));

const HEADER_NAMES: Readonly<Record<string, string>> = {
  Location: 'Location',
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  ETag: 'ETag',
  Ignored: 'Deskwire-Ignored',
  Link: 'Link',
};

const recordSchema = ([name, record]: NamedRecord): JsonSchema => objectOf({ [name]: ref(record) });

const recordsOf = (record: string): JsonSchema => ({ type: 'array', items: ref(record) });

const arraySchema = ([name, record]: NamedRecord): JsonSchema => objectOf({ [name]: recordsOf(record) });

const pageSchema = ([name, record]: NamedRecord): JsonSchema =>
  objectOf({ [name]: recordsOf(record), meta: ref('Meta') });

const feedSchema = ([name, record]: NamedRecord): JsonSchema =>
  objectOf({ [name]: recordsOf(record), meta: FEED_META });

const FEED_META = objectOf({
  cursor: { type: 'string', description: 'Where to go on, at once or later.' },
  pagination: objectOf({
    per_page: { type: 'integer' },
    next_page: { type: ['string', 'null'], format: 'uri', description: 'Null while nothing more has happened.' },
  }),
});

function problemStatusesOf({ parameters, method, description }: Route): ProblemStatus[] {
  const changes = method !== 'get';
  return [
    ...([400, 401, 403, 422, 429, 503] as const),
    ...(parameters.length > 0 ? [404 as const, 414 as const] : []),
    ...(description.canBeNotFound ? [404 as const] : []),
    ...(changes && parameters.length > 0 ? [412 as const] : []),
    // Any change may refer to what somebody else removes at that moment.
    ...(changes ? [409 as const, 413 as const, 415 as const] : []),
  ].sort((one, other) => one - other);
}
