import { type Principal, TokensService } from '#libs/access';
import type { Scope } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type CanActivate, type ExecutionContext, HttpException, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../edge/caller.js';
import { missingScopes, requiredScopes } from './required-scopes.js';

const BEARER = /^bearer +([\w.~+/-]{1,512}=*)$/i;

/** One round trip (`bearer_find`). Nothing is cached, so a revoked token stops working at once. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly tokens: TokensService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const principal = await this.authenticate(request);
    const required = requiredScopes(this.reflector, [context.getHandler(), context.getClass()], request.method);
    const missing = missingScopes(required, principal.scopes);
    if (missing.length > 0) throw insufficientScope(missing);
    request.caller = { ...principal, requestId: request.id };
    return true;
  }

  async authenticate(request: AuthenticatedRequest): Promise<Principal> {
    const token = presentedToken(request, this.settings.ALLOW_QUERY_TOKENS);
    const principal = await this.tokens.authenticate(token);
    if (!principal) throw invalidToken();
    request.actor = principal;
    return principal;
  }
}

function presentedToken({ headers, query }: AuthenticatedRequest, allowQuery: boolean): string {
  const inHeader = headers.authorization;
  const inQuery = allowQuery ? (query as Record<string, unknown>)['access_token'] : undefined;
  if (inHeader !== undefined && inQuery !== undefined) throw repeatedToken();
  if (inHeader === undefined && inQuery === undefined) throw missingToken();
  const token = inHeader === undefined ? inQuery : BEARER.exec(inHeader)?.[1];
  if (typeof token !== 'string' || token === '') throw invalidToken();
  return token;
}

/** RFC 6750 section 3. */
function refusal(
  status: number,
  error: string,
  sentence: string,
  attributes = `, error="${error}", error_description="${sentence}"`,
): HttpException {
  const headers = { 'www-authenticate': `Bearer realm="deskwire"${attributes}` };
  return new HttpException({ error, detail: `${sentence}.`, headers }, status);
}

/** The client sent no token, so there is no error code (section 3.1). */
const missingToken = () => refusal(401, 'unauthorized', 'Send an access token in the header Authorization: Bearer', '');

const invalidToken = () => refusal(401, 'invalid_token', 'The access token is unknown, expired or revoked');

const repeatedToken = () => refusal(400, 'invalid_request', 'Send the access token in one place only');

const insufficientScope = (missing: readonly Scope[]) =>
  refusal(
    403,
    'insufficient_scope',
    `This needs a token with the ${missing.length > 1 ? 'scopes' : 'scope'} ${missing.join(' and ')}`,
    `, error="insufficient_scope", scope="${missing.join(' ')}"`,
  );
