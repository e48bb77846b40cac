import { createHmac } from 'node:crypto';
import type { Scope } from '#libs/entities';
import { digest, randomToken } from './secrets.js';

export const ACCESS_SECONDS = 7200;
export const REFRESH_SECONDS = 30 * 86_400;

/** `scope` is only for applications that requested scopes. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope?: string;
}

/** The successors of a refresh token derive from it and a stored salt, so a repeated refresh returns the same pair. */
export class TokenPair {
  private constructor(
    readonly access: string,
    readonly refresh: string,
  ) {}

  static random(): TokenPair {
    return new TokenPair(randomToken(), randomToken());
  }

  static derivedFrom(refreshToken: string, salt: Buffer): TokenPair {
    const derive = (kind: string) => createHmac('sha256', salt).update(`${kind}:${refreshToken}`).digest('base64url');
    return new TokenPair(derive('access'), derive('refresh'));
  }

  get digests(): [access: Buffer, refresh: Buffer] {
    return [digest(this.access), digest(this.refresh)];
  }

  response(scopes: readonly Scope[] | undefined, expiresInSeconds = ACCESS_SECONDS): TokenResponse {
    return {
      access_token: this.access,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
      refresh_token: this.refresh,
      ...(scopes && { scope: scopes.join(' ') }),
    };
  }
}
