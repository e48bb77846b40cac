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

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

export const randomPair = (): TokenPair => ({ access: randomToken(), refresh: randomToken() });

/** The successors of a refresh token derive from it and a stored salt, so a repeated refresh returns the same pair. */
export function successorsOf(refreshToken: string, salt: Buffer): TokenPair {
  const derive = (kind: string) => createHmac('sha256', salt).update(`${kind}:${refreshToken}`).digest('base64url');
  return { access: derive('access'), refresh: derive('refresh') };
}

export const digestsOf = ({ access, refresh }: TokenPair): Buffer[] => [digest(access), digest(refresh)];

export const responseOf = (
  { access, refresh }: TokenPair,
  scopes: readonly Scope[] | undefined,
  expiresInSeconds = ACCESS_SECONDS,
): TokenResponse => ({
  access_token: access,
  token_type: 'bearer',
  expires_in: expiresInSeconds,
  refresh_token: refresh,
  ...(scopes && { scope: scopes.join(' ') }),
});
