import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OAuthError, oauthErrorBody } from './oauth-error.js';

/** Answers applications at the token, revocation and introspection endpoints. */
@Catch(OAuthError)
export class OAuthErrorFilter implements ExceptionFilter<OAuthError> {
  catch(error: OAuthError, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    for (const [name, value] of Object.entries(error.headers)) void reply.header(name, value);
    void reply
      .status(error.status)
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('pragma', 'no-cache')
      .send(oauthErrorBody(error.code, error.description));
  }
}
