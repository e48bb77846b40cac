import { type JsonSchema, json, objectOf, ref } from '#libs/payloads';
import type { NamedRecord } from '../layers/edge/api-operation.decorator.js';
import { problemBody } from '../layers/edge/problem.js';
import type { NamedSchemas } from './dto-schema.js';
import { ERROR_CODES } from './error-codes.js';
import { pascal } from './generated-names.js';
import type { Route } from './routes.js';

export function successResponsesOf(route: Route, schemas: NamedSchemas, example?: unknown) {
  const { status } = route.description;
  const body = bodyOf(route, schemas);
  const read = status === 200 && route.method === 'get';
  const headers = headersOf([
    ...(read ? ['RequestId', 'RateLimit', 'Ignored', 'ETag'] : ['RequestId', 'RateLimit', 'Ignored']),
    ...(status === 201 || status === 202 || route.description.mayCreate || route.description.moves ? ['Location'] : []),
    ...(route.description.list ? ['Link'] : []),
  ]);
  if (!body) return { [status]: { description: 'Done.', headers } };
  const content = { 'application/json': { schema: body, ...(example !== undefined && { example }) } };
  return {
    [status]: { description: SUCCESS[status]!, headers, content },
    ...(route.description.mayCreate && { 201: { description: SUCCESS[201]!, headers, content } }),
    ...(route.description.mayExist && { 200: { description: EXISTS, headers, content } }),
    ...(route.description.moves && { 301: { description: SUCCESS[301]!, headers, content } }),
    ...(read && NOT_MODIFIED),
  };
}

const EXISTS = 'An import found the record, which is unchanged.';

const SUCCESS: Readonly<Record<number, string>> = {
  200: 'The present state.',
  201: 'Created.',
  202: 'Accepted. It will be done in the background.',
  301: 'The record has another URL now, which `Location` names.',
};
export const NOT_MODIFIED = { 304: { description: 'Unchanged since it was read with this ETag.' } };

function bodyOf({ id, description }: Route, schemas: NamedSchemas): JsonSchema | undefined {
  const { created, createdAll, list, feed, responseSchema } = description;
  if (responseSchema) return schemas.add(`${pascal(id)}Result`, responseSchema);
  if (created && createdAll) return { oneOf: [recordOf(created, schemas), arrayOf(createdAll, schemas)] };
  const one = description.record ?? created ?? description.accepted;
  if (one) return recordOf(one, schemas);
  const many = description.records ?? createdAll;
  if (many) return arrayOf(many, schemas);
  if (feed) return schemas.add(`${feed[1]}Feed`, objectOf({ [feed[0]]: recordsOf(feed[1]), meta: ref('FeedMeta') }));
  return list && schemas.add(`${list[1]}Page`, objectOf({ [list[0]]: recordsOf(list[1]), meta: ref('Meta') }));
}

const recordsOf = (record: string): JsonSchema => json.listOf(ref(record), 'The records.');

const recordOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}Envelope`, objectOf({ [name]: ref(record) }));

const arrayOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}List`, objectOf({ [name]: recordsOf(record) }));

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [WIRE_NAMES[name] ?? name, { $ref: `#/components/headers/${name}` }]));

const WIRE_NAMES: Readonly<Record<string, string>> = {
  RequestId: 'X-Request-Id',
  Ignored: 'Deskwire-Ignored',
  RetryAfter: 'Retry-After',
  Authenticate: 'WWW-Authenticate',
};

export const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

/** Statuses of problems, each with one of its errors as the example. */
const STATUSES = {
  301: ['merged', 'The ticket was merged. `Location` is the same path of the ticket that has its messages.'],
  400: ['malformed_body', 'The request cannot be read, or with `handling=strict`, it has an unknown query parameter.'],
  401: ['invalid_token', 'There is no access token, or it is not valid.'],
  403: ['insufficient_scope', 'The token’s scope or the agent’s role does not allow this.'],
  404: ['ticket_not_found', 'There is no such record in this account.'],
  405: ['method_not_allowed', 'The URL supports other methods only.'],
  408: ['request_timeout', 'The request arrived too slowly.'],
  409: ['request_in_progress', 'The state of the record does not allow this, or the Idempotency-Key is in use.'],
  412: ['precondition_failed', 'The record has changed since it was read.'],
  413: ['body_too_large', 'The body is too large.'],
  414: ['bad_request', 'A part of the address is too long.'],
  415: ['unsupported_media_type', 'The media type of the body is not supported.'],
  416: ['range_not_satisfiable', 'The file has none of the requested bytes.'],
  422: ['invalid_request', 'Some fields are not valid; `errors` names each.'],
  429: ['too_many_requests', 'The token has made too many requests.'],
  431: ['headers_too_large', 'The headers are too large.'],
  503: ['unavailable', 'The database or the file storage is unavailable, or the server is overloaded.'],
} as const;

type ProblemStatus = keyof typeof STATUSES;

const PROBLEM_HEADERS: Readonly<Record<string, object>> = {
  301: headersOf(['Location']),
  401: headersOf(['Authenticate']),
  405: headersOf(['Allow']),
  416: { 'Content-Range': textHeader('The size of the file.') },
  429: headersOf(['RetryAfter']),
  503: headersOf(['RetryAfter']),
};

const INVALID_FIELDS = [{ field: 'from.email', code: 'not_an_email', message: 'from.email must be an email address' }];
const EXAMPLE_REQUEST = { path: '/v1/tickets', id: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10' };

/** The problems that routes can return, by status. */
export const PROBLEMS = Object.fromEntries(
  Object.entries(STATUSES).map(([code, [error, description]]) => {
    const status = Number(code);
    const fault = { status, error, detail: ERROR_CODES[error]!, ...(status === 422 && { errors: INVALID_FIELDS }) };
    const content = { schema: ref('Problem'), example: problemBody(fault, EXAMPLE_REQUEST) };
    const headers = PROBLEM_HEADERS[code];
    return [code, { description, ...(headers && { headers }), content: { 'application/problem+json': content } }];
  }),
);

export const problemRefs = (...statuses: readonly ProblemStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

export function problemResponsesOf({ path, parameters, method, takesIfMatch, description }: Route) {
  const changes = method !== 'get';
  const has = parameters.length > 0;
  return problemRefs(
    ...([400, 401, 403, 405, 408, 413, 415, 422, 429, 431, 503] as const),
    ...(!changes && path.startsWith('/v1/tickets/{number}') ? [301 as const] : []),
    ...(has || description.canBeNotFound ? [404 as const] : []),
    ...(has ? [414 as const] : []),
    ...(takesIfMatch ? [412 as const] : []),
    // Another request may remove a record that this one refers to.
    ...(changes || description.conflicts ? [409 as const] : []),
  );
}
