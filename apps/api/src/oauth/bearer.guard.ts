import { BearerTokensService, type Principal } from '#libs/access';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { badRequest, insufficientScope, invalidToken, missingToken } from './bearer-challenge.js';
import type { AuthenticatedRequest } from '../edge/caller.js';
import { missingScopes, requiredScopes } from './required-scopes.js';

/** RFC 6750 section 2.1. */
const BEARER = /^bearer +([\w.~+/-]{1,512}=*)$/i;

/** One round trip per request (`bearer_find`). Nothing is cached, so a revoked token is refused at once. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly bearerTokens: BearerTokensService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = await this.authenticate(request);
    const required = requiredScopes(this.reflector, [context.getHandler(), context.getClass()], request.method);
    const missing = missingScopes(required, principal);
    if (missing.length > 0) throw insufficientScope(missing);
    request.caller = { ...principal, requestId: request.id };
    return true;
  }

  async authenticate(request: AuthenticatedRequest): Promise<Principal> {
    const token = presentedToken(request, this.settings.ALLOW_QUERY_TOKENS);
    const principal = await this.bearerTokens.authenticate(token);
    if (!principal) throw invalidToken();
    request.actor = principal;
    return principal;
  }
}

/** From the header, or from the query if ALLOW_QUERY_TOKENS is set. Both at once is an error. */
function presentedToken({ headers, query }: AuthenticatedRequest, allowQuery: boolean): string {
  const inHeader = headers.authorization;
  const inQuery = allowQuery ? (query as Record<string, unknown>)['access_token'] : undefined;
  if (inHeader !== undefined && inQuery !== undefined) throw badRequest();
  if (inHeader === undefined && inQuery === undefined) throw missingToken();
  const token = inHeader === undefined ? inQuery : BEARER.exec(inHeader)?.[1];
  if (typeof token !== 'string' || token === '') throw invalidToken();
  return token;
}
