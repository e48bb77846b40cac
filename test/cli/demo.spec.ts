// @module-tag long
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { runDemo } from './run.js';

describe('npm run demo', () => {
  const desk = deskForFile();

  it('does not run in production', async () => {
    const secrets = { SECRETS_KEY: `test:${randomBytes(32).toString('base64')}`, PUBLIC_URL: 'https://desk.example' };
    const ran = await runDemo([], { ...desk.environment, ...secrets, NODE_ENV: 'production' });

    expect([ran.code, ran.err]).toEqual([
      1,
      'error: The demo does not run in production, because its passwords are public.\n',
    ]);
  });

  it('fills an account once, and prints how to sign in', { timeout: 120_000 }, async () => {
    const first = await runDemo([], desk.environment);
    const again = await runDemo([], desk.environment);

    expect([first.code, first.err]).toEqual([0, '']);
    expect(first.out).toMatch(/320 tickets[^]*maya@example\.com/);
    // A ticket of the last hours may be closed or not, depending on the time of day.
    const { closed, open, spam } = (await desk.client().get('/v1/tickets/count')).body;
    expect(closed + open + spam).toBe(320);
    expect([closed > 240, open > 40, spam > 5]).toEqual([true, true, true]);
    expect([again.code, again.err]).toEqual([
      1,
      'error: The account “Acme” is in use: it has agents besides its owner.\n',
    ]);
  });
});
