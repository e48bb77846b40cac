import type { FieldError } from '#libs/entities';
import { ref } from '#libs/payloads';
import { problemBody } from '../edge/problem.js';
import { ERROR_CODES } from './error-codes.js';
import type { Route } from './route-reader.js';

interface ProblemKind {
  readonly status: number;
  /** One of those that this status can have. */
  readonly error: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

const EXAMPLE_REQUEST = { path: '/v1/tickets', id: '019a8c1e-7d40-7c3a-9f51-3c8d2b6e4a10' };

const problem = (description: string, kind: ProblemKind, headers = {}) => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: { 'application/problem+json': { schema: ref('Problem'), example: problemBody(kind, EXAMPLE_REQUEST) } },
});

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

const kind = (status: number, error: string): ProblemKind => ({ status, error, detail: ERROR_CODES[error]! });

const INVALID: ProblemKind = {
  ...kind(422, 'invalid_request'),
  errors: [{ field: 'from.email', code: 'not_an_email', message: 'from.email must be an e-mail address' }],
};

/** The problems that routes can answer, by status. */
export const PROBLEMS = {
  400: problem('The request cannot be read.', kind(400, 'malformed_body')),
  401: problem('There is no access token, or it is not valid.', kind(401, 'invalid_token'), {
    'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
  }),
  403: problem('The token’s scope or the agent’s role does not allow this.', kind(403, 'insufficient_scope')),
  404: problem('There is no such record in this account.', kind(404, 'ticket_not_found')),
  405: problem('The address answers to other methods only.', kind(405, 'method_not_allowed'), {
    Allow: { $ref: '#/components/headers/Allow' },
  }),
  408: problem('The request came too slowly.', kind(408, 'request_timeout')),
  409: problem(
    'The record’s present state does not allow this, or an Idempotency-Key is in use.',
    kind(409, 'request_in_progress'),
  ),
  412: problem('The record has changed since it was read.', kind(412, 'precondition_failed')),
  413: problem('The body is too large.', kind(413, 'body_too_large')),
  414: problem('A part of the address is too long.', kind(414, 'bad_request')),
  415: problem('The body is of a type that is not read here.', kind(415, 'unsupported_media_type')),
  416: problem('The file has none of the bytes that were asked for.', kind(416, 'range_not_satisfiable'), {
    'Content-Range': { description: 'How many bytes the file has.', schema: { type: 'string' } },
  }),
  422: problem('Some fields are not valid; `errors` names each.', INVALID),
  429: problem('The token has made too many requests.', kind(429, 'too_many_requests'), retryAfter),
  431: problem('The headers are too large.', kind(431, 'headers_too_large')),
  503: problem(
    'The database, or where files are kept, cannot be reached just now, or too much is going on; nothing was changed.',
    kind(503, 'unavailable'),
    retryAfter,
  ),
} as const;

export type ProblemStatus = keyof typeof PROBLEMS;

export const problemResponsesOf = (route: Route) => problemRefs(...problemStatusesOf(route));

export const problemRefs = (...statuses: readonly ProblemStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));

function problemStatusesOf({ parameters, method, description }: Route): ProblemStatus[] {
  const changes = method !== 'get';
  return [
    ...([400, 401, 403, 405, 408, 413, 415, 422, 429, 431, 503] as const),
    ...(parameters.length > 0 ? [404 as const, 414 as const] : []),
    ...(description.canBeNotFound ? [404 as const] : []),
    ...(changes && parameters.length > 0 ? [412 as const] : []),
    // Any change may refer to what somebody else removes at that moment.
    ...(changes || description.conflicts ? [409 as const] : []),
  ].sort((one, other) => one - other);
}
