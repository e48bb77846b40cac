import { type Principal, TokensService } from '#libs/access';
import { type Audience, InsufficientScope } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { validTraceparent } from '#libs/telemetry';
import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AuthenticatedRequest } from '../edge/caller.js';
import { CHECKED_BY_HANDLER_KEY, missingScopes, requiredScopes } from './required-scopes.js';
import { RESOURCE_KEY } from './resources.js';

const BEARER = /^bearer +([\w.~+/-]{1,512}=*)$/i;

const CHECKED_IN_TRANSACTION_KEY = 'http:checked_in_transaction';

/**
 * For handlers that read and write only in one transaction, which takes the caller as its scope: the token is checked
 * there, with the first statement.
 */
export const CheckedInTransaction = () => SetMetadata(CHECKED_IN_TRANSACTION_KEY, true);

/**
 * One round trip (`bearer_find`), or none of its own. A revoked token stops working at once: what is remembered of it is
 * checked in the transaction.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly tokens: TokensService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const recalled = this.recall(context, request);
    if (!recalled) return this.check(context);
    this.admit(context, recalled);
    return true;
  }

  async check(context: ExecutionContext): Promise<true> {
    this.admit(context, await this.authenticate(context.switchToHttp().getRequest()));
    return true;
  }

  /** A kept response to an idempotency key is read before any transaction. */
  private recall(context: ExecutionContext, request: AuthenticatedRequest): Principal | undefined {
    const isChecked = this.reflector.get<boolean | undefined>(CHECKED_IN_TRANSACTION_KEY, context.getHandler());
    if (!isChecked || request.headers['idempotency-key'] !== undefined) return undefined;
    const principal = this.tokens.recall(presentedToken(request, this.settings.ALLOW_QUERY_TOKENS));
    if (principal) request.actor = principal;
    return principal;
  }

  private admit(context: ExecutionContext, principal: Principal): void {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const resource = this.reflector.getAllAndOverride<Audience | undefined>(RESOURCE_KEY, targets) ?? 'api';
    if (!principal.audiences.includes(resource)) throw invalidToken();
    const required = requiredScopes(this.reflector, targets, request.method);
    if (!required) throw new Error('A route that takes access tokens needs @Scopes');
    const isByHandler = this.reflector.getAllAndOverride<boolean | undefined>(CHECKED_BY_HANDLER_KEY, targets);
    const missing = isByHandler ? [] : missingScopes(required, principal.scopes);
    if (missing.length > 0) throw new InsufficientScope(missing);
    const { clientId, grantId } = principal;
    const origin = { type: clientId === null ? 'token' : 'application', clientId: clientId ?? grantId } as const;
    const traceparent = validTraceparent(request.headers['traceparent']);
    request.caller = { ...principal, requestId: request.id, origin, traceparent };
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
