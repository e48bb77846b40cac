// @module-tag long
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import type { AppProcess } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { InstalledSdk } from './installed-sdk.js';

let desk: Desk;
let api: AppProcess;
let sdk: InstalledSdk;
beforeAll(async () => {
  [desk, sdk] = await Promise.all([startDesk(), InstalledSdk.pack()]);
  await desk.worker();
  api = await desk.apiProcess();
}, 180_000);
afterAll(async () => {
  await sdk.remove();
  await desk.stop();
});

it('arrives at the first program of the guide, which can be run again', { timeout: 60_000 }, async () => {
  const { owner, mailbox } = desk.account;
  const environment = { DESKWIRE: api.base, TOKEN: owner.token, MAILBOX: mailbox.email };
  for (let run = 0; run < 2; run++) {
    const PORT = `${await freePort()}`;
    const output = await sdk.runExample('first-webhook.mjs', { ...environment, PORT });
    expect(output).toMatch(/^ticket_started: ticket \d+, and the signature is correct\n$/);
  }

  expect((await desk.client().get('/v1/webhooks')).body.webhooks).toEqual([]);
});

it('registers a webhook under a key at each start, and changes what differs', { timeout: 60_000 }, async () => {
  const environment = {
    DESKWIRE: api.base,
    TOKEN: desk.account.owner.token,
    HOOK_URL: 'https://receiver.example/billing',
    HOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
  const run = (more = {}) => sdk.runExample('ensure-webhook.mjs', { ...environment, ...more });

  expect(await run()).toMatch(/^created http\S+\/v1\/webhooks\/\S+\n$/);
  expect(await run()).toBe('changed: nothing\n');
  expect(await run({ HOOK_URL: 'https://receiver.example/moved' })).toBe('changed: url\n');
});

it('registers a webhook as docs/webhooks.md shows it, and prints its secret', { timeout: 60_000 }, async () => {
  const environment = { DESKWIRE: api.base, TOKEN: desk.account.owner.token };

  expect(await sdk.runExample('register.mjs', environment, 'docs/webhooks.md')).toMatch(/^whsec_\S+\n$/);
});

it('compiles and runs the program in the README of the package', { timeout: 60_000 }, async () => {
  const readme = await readFile(join(sdk.folder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  const program = `${blocks.join('')}\nprocess.exit();`
    .replaceAll('4000', `${await freePort()}`)
    .replaceAll('support@example.com', desk.account.mailbox.email);
  const HOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
  const output = await sdk.runTyped(program, [], { DESKWIRE: api.base, TOKEN: desk.account.owner.token, HOOK_SECRET });

  expect(output).toMatch(/^ticket \d+ false /m);
});
