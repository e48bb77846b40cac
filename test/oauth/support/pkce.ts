import { createHash, randomBytes } from 'node:crypto';
import type { OAuthDesk, TestApplication } from './oauth-desk.js';
import type { Person } from './person.js';

export const challengeOf = (verifier: string) => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
});

export const newVerifier = (): string => randomBytes(32).toString('base64url');

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope?: string;
}

/** Returns the code that a public client receives, and the verifier of its challenge. */
export async function provenCode(oauth: OAuthDesk, person: Person, app: TestApplication, extra = {}) {
  const code_verifier = newVerifier();
  return { code: await oauth.code(person, { ...challengeOf(code_verifier), ...extra }, app), code_verifier };
}

/** Returns the tokens of a public client. */
export async function publicTokens(oauth: OAuthDesk, person: Person, app: TestApplication, extra = {}) {
  const { code, code_verifier } = await provenCode(oauth, person, app, extra);
  return (await oauth.exchange(code, { code_verifier }, app)).body as Tokens;
}
