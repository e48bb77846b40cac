import type { FieldError } from '#libs/entities';
import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import type { NamedRecord } from '../edge/api-operation.decorator.js';
import { problemBody } from '../edge/problem.js';
import type { NamedSchemas } from './dto-schema.js';
import { ERROR_CODES } from './error-codes.js';
import type { Route } from './route-reader.js';

export function successResponsesOf(route: Route, schemas: NamedSchemas, example?: unknown) {
  const { status, body, read } = successOf(route, schemas);
  const headers = headersOf([
    ...(read ? READ_HEADERS : ['RequestId', 'RateLimit', 'Ignored']),
    ...(status === 201 || status === 202 ? ['Location'] : []),
    ...(route.description.list ? ['Link'] : []),
  ]);
  if (!body) return { [status]: { description: 'Done.', headers } };
  const content = { 'application/json': { schema: body, ...(example !== undefined && { example }) } };
  return { [status]: { description: SUCCESS[status]!, headers, content }, ...(read && NOT_MODIFIED) };
}

const SUCCESS: Readonly<Record<number, string>> = { 200: 'As it is now.', 201: 'Created.', 202: 'It will be done.' };
const READ_HEADERS = ['RequestId', 'RateLimit', 'Ignored', 'ETag'];
const NOT_MODIFIED = { 304: { description: 'Unchanged since it was read with this ETag.' } };

function successOf(route: Route, schemas: NamedSchemas) {
  const { description, method } = route;
  const { created, createdAll, accepted } = description;
  if (created && createdAll)
    return { status: 201, body: { anyOf: [recordOf(created, schemas), arrayOf(createdAll, schemas)] } };
  if (createdAll) return { status: 201, body: arrayOf(createdAll, schemas) };
  if (created) return { status: 201, body: recordOf(created, schemas) };
  if (accepted) return { status: 202, body: recordOf(accepted, schemas) };
  const body = bodyOf(route, schemas);
  return body ? { status: 200, body, read: method === 'get' } : { status: route.status ?? 204 };
}

function bodyOf({ id, description }: Route, schemas: NamedSchemas): JsonSchema | undefined {
  const { record, records, list, feed, responseSchema } = description;
  if (responseSchema) return schemas.add(`${pascal(id)}Response`, responseSchema);
  if (record) return recordOf(record, schemas);
  if (records) return arrayOf(records, schemas);
  if (feed) return schemas.add(`${feed[1]}Feed`, objectOf({ [feed[0]]: recordsOf(feed[1]), meta: ref('FeedMeta') }));
  return list && schemas.add(`${list[1]}Page`, objectOf({ [list[0]]: recordsOf(list[1]), meta: ref('Meta') }));
}

const recordsOf = (record: string): JsonSchema => ({ type: 'array', items: ref(record) });

const recordOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}Response`, objectOf({ [name]: ref(record) }));

const arrayOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}List`, objectOf({ [name]: recordsOf(record) }));

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]));

const HEADER_NAMES: Readonly<Record<string, string>> = {
  Location: 'Location',
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  ETag: 'ETag',
  Ignored: 'Deskwire-Ignored',
  Link: 'Link',
};

const pascal = (id: string): string => id.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

export const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

interface ProblemExample {
  readonly status: number;
  readonly error: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

const EXAMPLE_REQUEST = { path: '/v1/tickets', id: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10' };

const problem = (description: string, example: ProblemExample, headers = {}) => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: { 'application/problem+json': { schema: ref('Problem'), example: problemBody(example, EXAMPLE_REQUEST) } },
});

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const exampleOf = (status: number, error: string): ProblemExample => ({ status, error, detail: ERROR_CODES[error]! });

const INVALID: ProblemExample = {
  ...exampleOf(422, 'invalid_request'),
  errors: [{ field: 'from.email', code: 'not_an_email', message: 'from.email must be an e-mail address' }],
};

/** The problems that routes can return, by status. The example is one of the errors of that status. */
export const PROBLEMS = {
  400: problem('The request cannot be read.', exampleOf(400, 'malformed_body')),
  401: problem('There is no access token, or it is not valid.', exampleOf(401, 'invalid_token'), {
    'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
  }),
  403: problem('The token’s scope or the agent’s role does not allow this.', exampleOf(403, 'insufficient_scope')),
  404: problem('There is no such record in this account.', exampleOf(404, 'ticket_not_found')),
  405: problem('The address answers to other methods only.', exampleOf(405, 'method_not_allowed'), {
    Allow: { $ref: '#/components/headers/Allow' },
  }),
  408: problem('The request came too slowly.', exampleOf(408, 'request_timeout')),
  409: problem(
    'The record’s present state does not allow this, or an Idempotency-Key is in use.',
    exampleOf(409, 'request_in_progress'),
  ),
  412: problem('The record has changed since it was read.', exampleOf(412, 'precondition_failed')),
  413: problem('The body is too large.', exampleOf(413, 'body_too_large')),
  414: problem('A part of the address is too long.', exampleOf(414, 'bad_request')),
  415: problem('The body is of a type that is not read here.', exampleOf(415, 'unsupported_media_type')),
  416: problem('The file has none of the bytes that were asked for.', exampleOf(416, 'range_not_satisfiable'), {
    'Content-Range': { description: 'How many bytes the file has.', schema: { type: 'string' } },
  }),
  422: problem('Some fields are not valid; `errors` names each.', INVALID),
  429: problem('The token has made too many requests.', exampleOf(429, 'too_many_requests'), RETRY_AFTER),
  431: problem('The headers are too large.', exampleOf(431, 'headers_too_large')),
  503: problem(
    'The database, or where files are kept, cannot be reached just now, or too much is going on; nothing was changed.',
    exampleOf(503, 'unavailable'),
    RETRY_AFTER,
  ),
} as const;

type ProblemStatus = keyof typeof PROBLEMS;

export const problemRefs = (...statuses: readonly ProblemStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

export function problemResponsesOf({ parameters, method, description }: Route) {
  const changes = method !== 'get';
  const statuses: ProblemStatus[] = [
    ...([400, 401, 403, 405, 408, 413, 415, 422, 429, 431, 503] as const),
    ...(parameters.length > 0 ? [404 as const, 414 as const] : []),
    ...(description.canBeNotFound ? [404 as const] : []),
    ...(changes && parameters.length > 0 ? [412 as const] : []),
    // Another request may remove a record that this one refers to.
    ...(changes || description.conflicts ? [409 as const] : []),
  ];
  return problemRefs(...statuses.sort((one, other) => one - other));
}
