import { createHash } from 'node:crypto';
import type { Browser } from '../browser.js';
import type { Desk } from '../desk.js';

export const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rules-of-pkce-0123456789';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

function address({ firstRun }: Desk, changes: Readonly<Record<string, string | undefined>> = {}): string {
  const usual = {
    response_type: 'code',
    client_id: firstRun.client_id,
    redirect_uri: firstRun.redirect_uri,
    state: 'st & ate',
  };
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };
  const given = Object.entries({ ...usual, ...pkce, ...changes }).filter(([, value]) => value !== undefined);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** All that an application may ask wrongly; then the person signs in. */
export async function asking(desk: Desk, browser: Browser): Promise<void> {
  const { owner } = desk.firstRun;
  const wrong = [
    { client_id: undefined },
    { client_id: 'nobody' },
    { redirect_uri: undefined },
    { redirect_uri: 'https://evil.example/' },
    { response_type: undefined },
    { response_type: 'token' },
    { scope: 'everything' },
    { scope: 'read everything' },
    { scope: ' ' },
    { code_challenge: 'short' },
    { code_challenge_method: 'plain' },
    { code_challenge: undefined },
    { code_challenge_method: undefined },
    { state: undefined, scope: 'x' },
    { client_id: '\0' },
  ];
  for (const changes of wrong) await browser.get(address(desk, changes));
  await browser.get(`${address(desk)}&state=twice`);
  await browser.get(`${address(desk)}&client_id=twice`);
  await browser.get(`${address(desk)}&scope[a]=read`);
  await browser.get('/oauth/authorize');
  await browser.get(address(desk), { about: 'not signed in' });
  await browser.get('/sign-in');
  await browser.post('/sign-in', { email: owner.email, password: owner.password });
}

export async function deciding(desk: Desk, browser: Browser): Promise<string> {
  await browser.get(address(desk, { scope: 'read webhooks' }));
  await browser.get(address(desk, { code_challenge: undefined, code_challenge_method: undefined }));
  await browser.get(address(desk));
  await browser.ask(`HEAD ${address(desk)}`);
  await browser.post(address(desk), { csrf: '', decision: 'allow' });
  await browser.post(
    address(desk, { scope: 'read' }),
    { decision: 'allow' },
    { about: 'the proof of another request' },
  );
  await browser.get(address(desk));
  await browser.post(address(desk), { decision: 'deny' });
  await browser.post(address(desk), {}, { about: 'no decision' });
  await browser.post(address(desk, { client_id: 'nobody' }), { decision: 'allow' });
  await desk.browser('a stranger').post(address(desk), { decision: 'allow' });
  return allowed(desk, browser);
}

/** Allows, and answers the code that the application gets. */
export async function allowed(
  desk: Desk,
  browser: Browser,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  await browser.get(address(desk, changes));
  const answer = await browser.post(address(desk, changes), { decision: 'allow' });
  return new URL(answer.header('location') ?? '').searchParams.get('code') ?? '';
}
