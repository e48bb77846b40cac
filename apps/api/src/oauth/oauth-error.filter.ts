import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { HttpProblem } from '../edge/problem.js';
import { OAuthError } from './oauth-error.js';

/** Answers applications at the token, revocation and introspection endpoints. */
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

/** An unreadable request fails before it reaches a controller. OAuth clients expect the error of RFC 6749 then too. */
export const oauthRequestError = (url: string, { status, detail }: HttpProblem): OAuthError | undefined =>
  REQUEST_ERROR_STATUSES.has(status) && TOKEN_ENDPOINTS.test(url)
    ? new OAuthError('invalid_request', detail)
    : undefined;
