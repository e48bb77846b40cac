import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AccountScope, Clock, Database } from '#libs/database';
import type { RevokedReason, Scope } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GrantsService } from './grants.service.js';
import { digest, randomToken } from './secrets.js';
import {
  ACCESS_SECONDS,
  type FoundCode,
  type FoundToken,
  type Principal,
  consumeCode,
  consumeRefreshToken,
  deleteToken,
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
  | { readonly ok: false; readonly error: 'invalid_grant' | 'invalid_scope'; readonly description: string };

interface CodeRedemption {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string | undefined;
}

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

  async redeemCode(applicationId: string, { code, redirectUri, verifier }: CodeRedemption): Promise<TokenResult> {
    const pair = { access: randomToken(), refresh: randomToken() };
    const challenge = verifier === undefined ? null : challengeOf(verifier);
    const redemption = { hash: digest(code), applicationId, pair: digestsOf(pair), redirectUri, challenge };
    const spent = await consumeCode(this.database.system(), redemption, this.clock.now());
    if (spent) return issued(pair, spent.scopeRequested ? spent.scopes : undefined);
    return this.refusedCode(applicationId, { code, redirectUri, challenge });
  }

  async refresh(applicationId: string, refreshToken: string, wanted?: readonly string[]): Promise<TokenResult> {
    const salt = randomBytes(32);
    const pair = successorsOf(refreshToken, salt);
    const redemption = {
      hash: digest(refreshToken),
      applicationId,
      pair: digestsOf(pair),
      scopes: wanted ?? null,
      salt,
    };
    const spent = await consumeRefreshToken(this.database.system(), redemption, this.clock.now());
    if (!spent) return this.refusedRefresh(applicationId, refreshToken);
    const named = spent.scopes.filter((scope) => wanted?.includes(scope) ?? spent.scopeRequested);
    return issued(pair, wanted || spent.scopeRequested ? named : undefined);
  }

  async introspect(applicationId: string, token: string): Promise<FoundToken | undefined> {
    const found = await this.find(applicationId, token);
    return found?.alive && !found.consumedAt ? found : undefined;
  }

  /** A refresh token ends the whole grant. */
  async revoke(applicationId: string, token: string): Promise<void> {
    const found = await this.find(applicationId, token);
    if (found?.kind === 'access') await deleteToken(this.database.system(), digest(token));
    if (found?.kind === 'refresh') await this.revokeGrant(found, 'application');
  }

  /** A code used twice may be stolen. */
  private async refusedCode(
    applicationId: string,
    { code, redirectUri, challenge }: { code: string; redirectUri: string; challenge: string | null },
  ): Promise<TokenResult> {
    const found = await findCode(this.database.system(), digest(code), applicationId);
    if (!found) return refused('The authorization code is unknown.');
    if (found.consumedAt) {
      await this.revokeGrant(found, 'code_replayed');
      return refused('The authorization code was used before. What it had issued is revoked.');
    }
    if (found.redirectUri !== redirectUri)
      return refused('The redirect_uri differs from the one of the authorization request.');
    if (found.codeChallenge !== challenge)
      return refused('The code_verifier does not match the code_challenge of the authorization request.');
    return refused('The authorization code has expired or was revoked.');
  }

  private async refusedRefresh(applicationId: string, refreshToken: string): Promise<TokenResult> {
    const found = await this.find(applicationId, refreshToken);
    if (found?.kind !== 'refresh' || !found.alive)
      return refused('The refresh token is unknown, expired or revoked. Ask the person for access again.');
    if (!found.consumedAt)
      return { ok: false, error: 'invalid_scope', description: 'The scope is more than what the person granted.' };
    const repeated = await this.repeat(applicationId, refreshToken, found);
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
    const named = spent.scopeRequested || access.scopes.length < refresh.scopes.length;
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

function issued({ access, refresh }: TokenPair, scopes?: readonly Scope[], expires_in = ACCESS_SECONDS): TokenResult {
  const tokens = { access_token: access, token_type: 'bearer' as const, expires_in, refresh_token: refresh };
  return { ok: true, response: { ...tokens, ...(scopes && { scope: scopes.join(' ') }) } };
}
