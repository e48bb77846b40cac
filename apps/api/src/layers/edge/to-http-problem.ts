import { DomainError, type DomainErrorKind, InsufficientScope, StorageFull, TooMany } from '#libs/entities';
import { HttpException } from '@nestjs/common';
import { type HttpProblem, boundedProblem } from './problem.js';

const STATUS_BY_KIND: Readonly<Record<DomainErrorKind, number>> = {
  bad_request: 400,
  not_found: 404,
  invalid: 422,
  forbidden: 403,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  too_many: 429,
  unavailable: 503,
};

const FASTIFY_PROBLEMS: Readonly<Record<string, HttpProblem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    error: 'unsupported_media_type',
    detail: 'Send the body as application/json or application/x-www-form-urlencoded.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, error: 'body_too_large', detail: 'The body is larger than allowed.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, error: 'malformed_body', detail: 'The body is empty.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, error: 'malformed_body', detail: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    error: 'malformed_body',
    detail: 'The length of the body does not match Content-Length.',
  },
  FST_ERR_BAD_URL: { status: 400, error: 'malformed_url', detail: 'The path is not valid percent-encoding.' },
};

const RETRY_SOON = { 'retry-after': '2' };
const RETRY_LATER = { 'retry-after': '60' };

const DISK_FULL_SQLSTATE = '53100';

/** SQLSTATE classes of temporary errors, and a primary that became a standby. */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P|25006)/;
const CONNECTION_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);
/** Connection errors for which the driver has no code. */
const CONNECTION_ERROR_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|Query runner already released/;

const DISK_FULL: HttpProblem = {
  status: 503,
  error: 'disk_full',
  detail: 'Nothing was changed: the database disk is full. Ask the operator to free space.',
  headers: RETRY_LATER,
};

const UNAVAILABLE: HttpProblem = {
  status: 503,
  error: 'unavailable',
  // The commit may have happened, so this must not say that nothing was changed.
  detail: 'The database is temporarily unreachable. Check whether a change took effect before you repeat it.',
  headers: RETRY_SOON,
};

/** An unknown error becomes a 500 that reveals nothing. */
export const toHttpProblem = (error: unknown): HttpProblem => boundedProblem(problemOf(error));

function problemOf(error: unknown): HttpProblem {
  if (error instanceof DomainError) return fromDomain(error);
  if (error instanceof HttpException) return fromNest(error);
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const fastifyProblem = code ? FASTIFY_PROBLEMS[code] : undefined;
  if (fastifyProblem) return fastifyProblem;
  // The client disconnected. An error of the database has no status.
  if (code === 'ECONNRESET' && statusCode === 400)
    return { status: 400, error: 'request_aborted', detail: 'The connection ended before the body did.' };
  if (code === DISK_FULL_SQLSTATE) return DISK_FULL;
  if (code && (UNAVAILABLE_SQLSTATE.test(code) || CONNECTION_ERROR_CODES.has(code))) return UNAVAILABLE;
  if (CONNECTION_ERROR_MESSAGE.test((error as Error)?.message ?? '')) return UNAVAILABLE;
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return { status: statusCode, error: 'bad_request', detail: 'The request could not be read.' };
  return { status: 500, error: 'internal_error', detail: 'Something went wrong. It was logged under this request ID.' };
}

function fromDomain(error: DomainError): HttpProblem {
  const status = STATUS_BY_KIND[error.kind];
  return {
    status,
    error: error.code,
    detail: error.message,
    errors: error.fieldErrors,
    ...(error.members && { members: error.members }),
    ...(error instanceof TooMany && { headers: { 'retry-after': `${error.retryAfterSeconds}` } }),
    ...(error instanceof InsufficientScope && { headers: { 'www-authenticate': scopeChallenge(error) } }),
    ...(status === 503 && { headers: error instanceof StorageFull ? RETRY_LATER : RETRY_SOON }),
  };
}

/** RFC 6750 section 3. */
const scopeChallenge = ({ missing }: InsufficientScope): string =>
  `Bearer realm="deskwire", error="insufficient_scope", scope="${missing.join(' ')}"`;

function fromNest(error: HttpException): HttpProblem {
  const body = error.getResponse();
  if (typeof body === 'object' && 'error' in body && 'detail' in body)
    return { ...(body as Omit<HttpProblem, 'status'>), status: error.getStatus() };
  const { code } = (error.cause ?? {}) as { code?: string };
  const fastifyProblem = code === undefined ? undefined : FASTIFY_PROBLEMS[code];
  if (fastifyProblem) return fastifyProblem;
  if (error.getStatus() === 404)
    return { status: 404, error: 'route_not_found', detail: 'There is no route at this URL.' };
  // 400 is shared by several problems, so the status alone does not identify one.
  const ofStatus = Object.values(FASTIFY_PROBLEMS).find(({ status }) => status > 400 && status === error.getStatus());
  return ofStatus ?? { status: error.getStatus(), error: 'bad_request', detail: error.message };
}
