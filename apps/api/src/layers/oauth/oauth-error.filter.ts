import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { HttpProblem } from '../edge/problem.js';

type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'login_required'
  | 'consent_required';

/** RFC 6749 allows only ASCII without quotes in the description. */
export class OAuthError extends Error {
  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    readonly status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${code}: ${description}`);
  }
}

/** For the token, revocation and introspection endpoints. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch(error: OAuthError, host: ArgumentsHost): void {
    sendOAuthError(host.switchToHttp().getResponse<FastifyReply>(), error);
  }
}

/** RFC 6749 section 5.2. */
export function sendOAuthError(reply: FastifyReply, { status, headers, code, description }: OAuthError): void {
  for (const [name, value] of Object.entries(headers)) void reply.header(name, value);
  void reply
    .status(status)
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .send(JSON.stringify({ error: code, error_description: description }));
}

const TOKEN_ENDPOINTS = /^\/oauth\/(token|revoke|introspect)\/?(\?|$)/;
const REQUEST_ERROR_STATUSES = new Set([400, 413, 415, 422]);

/** For requests that cannot be parsed and never reach the controller. */
export const oauthRequestError = (url: string, { status, detail }: HttpProblem): OAuthError | undefined =>
  REQUEST_ERROR_STATUSES.has(status) && TOKEN_ENDPOINTS.test(url)
    ? new OAuthError('invalid_request', detail)
    : undefined;
