import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Desk } from '../../support/desk.js';

let oauth: OAuthDesk;
let desk: Desk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  ({ desk } = oauth);
});
afterAll(() => oauth.stop());

/** Bodies of at most 1 MiB, each made for what reads it slowest or repeats it most often. */
const BODIES = {
  'a long name with thousands of faults': JSON.stringify({ ['a'.repeat(240_000)]: Array(2150).fill('\0') }),
  'a long name at each of twelve levels': nested(11, 'a'.repeat(80_000), '\0'),
  '100,000 elements': JSON.stringify({ list: Array(100_000).fill('a') }),
  '90,000 fields': JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`f${n}`, n]))),
  'half a million numbers': JSON.stringify({ list: Array(500_000).fill(1) }),
  'lists a hundred thousand deep': `{"list":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
};

function nested(levels: number, name: string, value: unknown): string {
  return JSON.stringify(Array.from({ length: levels }).reduce((inner) => ({ [name]: [inner, '\0'] }), value));
}

const send = (path: string, body: string) =>
  fetch(`${desk.base}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe.each(['/sign-in', '/oauth/token', '/v1/tickets', '/nowhere'])('A stranger’s body at %s', (path) => {
  it.each(Object.entries(BODIES))('of %s is refused in a short answer, and holds nobody up', async (_, body) => {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const answer = await send(path, body);
    const text = await answer.text();
    delay.disable();

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(text.length).toBeLessThan(20_000);
    expect(delay.max / 1e6, 'milliseconds in which nobody else was answered').toBeLessThan(500);
  });
});
