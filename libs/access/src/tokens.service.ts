import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AccountScope, Clock, Database } from '#libs/database';
import { type Audience, type RevokedReason, SCOPES, isScope } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { OAuthClient } from './grant.statements.js';
import { GrantsService } from './grants.service.js';
import { digest, randomToken } from './secrets.js';
import {
  ACCESS_SECONDS,
  type ConsumedCredential,
  type FoundCode,
  type FoundToken,
  type Principal,
  consumeCode,
  consumeRefreshToken,
  deleteToken,
  endChain,
  findCode,
  findPrincipal,
  findToken,
  noteGrantUse,
  principalQuery,
} from './token.statements.js';

/** A refresh can be repeated for this long, because its response may have been lost. */
const REPEAT_MS = 30_000;

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** `scope` is only for applications that requested scopes. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope?: string;
}

interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export type TokenResult =
  | { readonly ok: true; readonly response: TokenResponse }
  | {
      readonly ok: false;
      readonly error: 'invalid_grant' | 'invalid_scope' | 'invalid_target';
      readonly description: string;
    };

/** `audiences` narrows the access token (RFC 8707). */
interface CodeRedemption {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
  readonly audiences?: readonly Audience[] | undefined;
}

interface RefreshRequest {
  readonly refreshToken: string;
  readonly scopes?: readonly string[] | undefined;
  readonly audiences?: readonly Audience[] | undefined;
}

type Client = Pick<OAuthClient, 'id' | 'secretHash'>;

/** The token was revoked, or the role of its person changed, since it was last used. */
export class PrincipalChanged extends Error {}

/** A longer time would only save a round trip for tokens that are rarely used. */
const RECENT_MS = 60_000;

const MAX_RECENT = 10_000;

/** Codes and tokens of other applications do not exist for an application. */
@Injectable()
export class TokensService {
  private readonly recent = new LRUCache<string, Principal>({ max: MAX_RECENT, ttl: RECENT_MS });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly grants: GrantsService,
  ) {}

  async redeemCode(client: Client, redemption: CodeRedemption): Promise<TokenResult> {
    const { code, redirectUri, verifier, audiences = null } = redemption;
    const pair = { access: randomToken(), refresh: randomToken() };
    const challenge = verifier === undefined ? null : challengeOf(verifier);
    const spending = { hash: digest(code), applicationId: client.id, audiences, redirectUri, challenge };
    const now = this.clock.now();
    const spent = await consumeCode(this.database.system(), { ...spending, pair: digestsOf(pair) }, now);
    if (spent) return issued(pair, spent.scopeRequested ? spent.scopes : undefined, accessSeconds(spent, now));
    return this.refusedCode(client, { ...redemption, challenge });
  }

  async refresh(client: Client, request: RefreshRequest): Promise<TokenResult> {
    const { refreshToken, audiences = null } = request;
    const wanted = request.scopes ? inOrder(request.scopes) : null;
    const salt = randomBytes(32);
    const pair = successorsOf(refreshToken, salt);
    const spending = { hash: digest(refreshToken), applicationId: client.id, audiences, scopes: wanted, salt };
    const now = this.clock.now();
    const spent = await consumeRefreshToken(this.database.system(), { ...spending, pair: digestsOf(pair) }, now);
    if (!spent) return this.refusedRefresh(client, request);
    const named = wanted ?? (spent.scopeRequested ? spent.scopes : undefined);
    return issued(pair, named, accessSeconds(spent, now));
  }

  async introspect(applicationId: string, token: string): Promise<FoundToken | undefined> {
    const found = await this.find(applicationId, token);
    return found?.alive && !found.consumedAt ? found : undefined;
  }

  /** A refresh token ends what came from its code, and the last one the grant. */
  async revoke(applicationId: string, token: string): Promise<void> {
    const found = await this.find(applicationId, token);
    if (found?.kind === 'access') await deleteToken(this.database.system(), digest(token));
    if (found?.kind !== 'refresh') return;
    const isLast = await endChain(this.database.system(), found, this.clock.now());
    if (isLast) await this.revokeGrant(found, 'application');
  }

  /** A code used twice may be stolen. A public client proves with its verifier that it is not a reader of a log. */
  private async refusedCode(
    { id, secretHash }: Client,
    { code, redirectUri, challenge, audiences }: CodeRedemption & { readonly challenge: string | null },
  ): Promise<TokenResult> {
    const found = await findCode(this.database.system(), digest(code), id);
    if (!found) return refused('The authorization code is unknown.');
    const isProven = secretHash !== null || found.codeChallenge === challenge;
    if (found.consumedAt && isProven) {
      await this.revokeGrant(found, 'code_replayed');
      return refused('The authorization code was used before. What it had issued is revoked.');
    }
    if (found.redirectUri !== redirectUri)
      return refused('The redirect_uri differs from the one of the authorization request.');
    if (found.codeChallenge !== challenge)
      return refused('The code_verifier does not match the code_challenge of the authorization request.');
    if (isWider(audiences, found)) return WRONG_TARGET;
    return refused('The authorization code has expired or was revoked.');
  }

  private async refusedRefresh(client: Client, request: RefreshRequest): Promise<TokenResult> {
    const { refreshToken, audiences } = request;
    const found = await this.find(client.id, refreshToken);
    if (found?.kind !== 'refresh' || !found.alive)
      return refused('The refresh token is unknown, expired or revoked. Ask the person for access again.');
    if (!found.consumedAt && isWider(audiences, found)) return WRONG_TARGET;
    if (!found.consumedAt)
      return { ok: false, error: 'invalid_scope', description: 'The scope is more than what the person granted.' };
    // A thief of a public client’s token needs no secret to repeat the refresh.
    const repeated = client.secretHash && (await this.repeat(client.id, refreshToken, found));
    if (repeated) return repeated;
    await this.revokeGrant(found, 'refresh_token_reused');
    return refused('The refresh token was used before. Every token of this grant is revoked.');
  }

  /** The successors are unused, so the response was lost, not stolen. */
  private async repeat(applicationId: string, refreshToken: string, spent: FoundToken) {
    const now = this.clock.now().getTime();
    if (!spent.retrySalt || !spent.consumedAt || now - spent.consumedAt.getTime() > REPEAT_MS) return undefined;
    const pair = successorsOf(refreshToken, spent.retrySalt);
    const access = await this.find(applicationId, pair.access);
    const refresh = await this.find(applicationId, pair.refresh);
    if (!access?.alive || !refresh?.alive || refresh.consumedAt) return undefined;
    const named = spent.scopeRequested || !isDeepStrictEqual(access.scopes, refresh.scopes);
    const secondsLeft = Math.ceil((access.expiresAt.getTime() - now) / 1000);
    return issued(pair, named ? access.scopes : undefined, secondsLeft);
  }

  private async revokeGrant({ accountId, grantId }: FoundCode | FoundToken, reason: RevokedReason): Promise<void> {
    await this.grants.revoke(accountId, [grantId], { reason });
  }

  /** Accepts access tokens and personal tokens. */
  async authenticate(token: string): Promise<Principal | undefined> {
    const hash = digest(token);
    const now = this.clock.now();
    const system = this.database.system();
    const found = await findPrincipal(system, hash, now);
    if (!found) return undefined;
    const { useIsOld, ...principal } = found;
    // Not awaited: a failure only makes a date less exact.
    if (useIsOld) void noteGrantUse(system, principal.grantId, now).catch(() => undefined);
    else this.recent.set(hash.toString('base64'), principal);
    return principal;
  }

  /** The principal of a token that was used a moment ago, with the condition that it is still the same. */
  recall(token: string): (Principal & Required<AccountScope>) | undefined {
    const hash = digest(token);
    const key = hash.toString('base64');
    const principal = this.recent.get(key);
    if (!principal) return undefined;
    const accept = ([found]: readonly unknown[]): void => {
      if (isDeepStrictEqual(found, { ...principal, useIsOld: false })) return;
      this.recent.delete(key);
      throw new PrincipalChanged();
    };
    return { ...principal, precondition: { ...principalQuery(hash, this.clock.now()), accept } };
  }

  private find(applicationId: string, token: string): Promise<FoundToken | undefined> {
    return findToken(this.database.system(), { hash: digest(token), applicationId }, this.clock.now());
  }
}

const refused = (description: string): TokenResult => ({ ok: false, error: 'invalid_grant', description });

/** A malformed verifier matches nothing. */
const challengeOf = (verifier: string): string =>
  VERIFIER.test(verifier) ? createHash('sha256').update(verifier).digest('base64url') : '';

/** The successors of a refresh token derive from it and a stored salt, so a repeated refresh returns the same pair. */
function successorsOf(refreshToken: string, salt: Buffer): TokenPair {
  const derive = (kind: string) => createHmac('sha256', salt).update(`${kind}:${refreshToken}`).digest('base64url');
  return { access: derive('access'), refresh: derive('refresh') };
}

const digestsOf = ({ access, refresh }: TokenPair) => ({ access: digest(access), refresh: digest(refresh) });

const WRONG_TARGET: TokenResult = {
  ok: false,
  error: 'invalid_target',
  description: 'The resource was not named in the authorization request.',
};

const isWider = (wanted: readonly Audience[] = [], { audiences }: { readonly audiences: readonly Audience[] }) =>
  wanted.some((audience) => !audiences.includes(audience));

/** Unknown names stay, so that they are refused. */
const inOrder = (scopes: readonly string[]): string[] => [
  ...SCOPES.filter((scope) => scopes.includes(scope)),
  ...scopes.filter((scope) => !isScope(scope)),
];

/** No token outlives its grant. */
const accessSeconds = ({ grantExpiresAt }: ConsumedCredential, now: Date): number =>
  grantExpiresAt === null
    ? ACCESS_SECONDS
    : Math.min(ACCESS_SECONDS, Math.floor((grantExpiresAt.getTime() - now.getTime()) / 1000));

function issued(
  { access, refresh }: TokenPair,
  scopes: readonly string[] | undefined,
  expires_in: number,
): TokenResult {
  const tokens = { access_token: access, token_type: 'bearer' as const, expires_in, refresh_token: refresh };
  return { ok: true, response: { ...tokens, ...(scopes && { scope: scopes.join(' ') }) } };
}
