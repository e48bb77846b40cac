import { ref } from '#libs/payloads';
import type { Route } from './route-scanner.js';

const problem = (description: string, headers = {}) => ({
  description,
  ...(Object.keys(headers).length > 0 && { headers }),
  content: { 'application/problem+json': { schema: ref('Problem') } },
});

const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** The problems that routes can answer, by status. */
export const PROBLEMS = {
  400: problem('The request cannot be read.'),
  401: problem('There is no access token, or it is not valid.', {
    'WWW-Authenticate': { $ref: '#/components/headers/Authenticate' },
  }),
  403: problem('The token’s scope or the agent’s role does not allow this.'),
  404: problem('There is no such record in this account.'),
  408: problem('The request came too slowly.'),
  409: problem('The record’s present state does not allow this, or an Idempotency-Key is in use.'),
  412: problem('The record has changed since it was read.'),
  413: problem('The body is too large.'),
  414: problem('A part of the address is too long.'),
  415: problem('The body is of a type that is not read here.'),
  416: problem('The file has none of the bytes that were asked for.', {
    'Content-Range': { description: 'How many bytes the file has.', schema: { type: 'string' } },
  }),
  422: problem('Some fields are not valid; `errors` names each.'),
  429: problem('The token has made too many requests.', retryAfter),
  431: problem('The headers are too large.'),
  503: problem(
    'The database, or where files are kept, cannot be reached just now, or too much is going on; nothing was changed.',
    retryAfter,
  ),
} as const;

export type ProblemStatus = keyof typeof PROBLEMS;

export const problemResponsesOf = (route: Route) =>
  Object.fromEntries(problemStatusesOf(route).map((status) => [status, problemRef(status)]));

export const problemRef = (status: ProblemStatus) => ({ $ref: `#/components/responses/${status}` });

function problemStatusesOf({ parameters, method, description }: Route): ProblemStatus[] {
  const changes = method !== 'get';
  return [
    ...([400, 401, 403, 408, 422, 429, 431, 503] as const),
    ...(parameters.length > 0 ? [404 as const, 414 as const] : []),
    ...(description.canBeNotFound ? [404 as const] : []),
    ...(changes && parameters.length > 0 ? [412 as const] : []),
    // Any change may refer to what somebody else removes at that moment.
    ...(changes || description.conflicts ? [409 as const] : []),
    ...(changes ? [413 as const, 415 as const] : []),
  ].sort((one, other) => one - other);
}
