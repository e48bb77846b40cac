// @module-tag long
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import type { Desk } from '#test/support/desk.js';
import { HEAVY_BODIES } from './heavy-bodies.js';

let oauth: OAuthDesk;
let desk: Desk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  ({ desk } = oauth);
});
afterAll(() => oauth.stop());

const send = (path: string, body: string) =>
  fetch(`${desk.base}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe.each(['/sign-in', '/oauth/token', '/v1/tickets', '/nowhere'])('the endpoint %s', (path) => {
  it.each(Object.entries(HEAVY_BODIES))(
    'refuses a stranger in a short answer without delaying others: %s',
    async (_, body) => {
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      const answer = await send(path, body);
      const text = await answer.text();
      delay.disable();

      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(text.length).toBeLessThan(20_000);
      expect(delay.max / 1e6, 'milliseconds in which nobody else was answered').toBeLessThan(500);
    },
  );
});
