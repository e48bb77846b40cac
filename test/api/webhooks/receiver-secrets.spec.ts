import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSecrets } from '../../../apps/receiver/src/api-secrets.js';
import { deskForFile } from '#test/support/desk-for-file.js';

const desk = deskForFile();
let folder: string;
const before = process.env['DATA_DIR'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskwire-receiver-'));
  await writeFile(
    join(folder, 'first-run.json'),
    JSON.stringify({ base_url: desk.base, token: desk.account.owner.token }),
  );
  process.env['DATA_DIR'] = folder;
});
afterAll(async () => {
  if (before === undefined) delete process.env['DATA_DIR'];
  else process.env['DATA_DIR'] = before;
  await rm(folder, { recursive: true });
});

it('gives npm run receiver every secret that can sign requests to its port', async () => {
  const { id, secret } = await desk.webhook('ticket_started', 'http://127.0.0.1:4321/hooks');
  const elsewhere = await desk.webhook('ticket_started', 'http://127.0.0.1:4322/hooks');
  const { body } = await desk.client().post(`/v1/webhooks/${id}/secret/rotate`);
  const secrets = await readSecrets(4321);

  expect(secrets).toEqual(expect.arrayContaining([secret, body.secrets[0].secret]));
  expect(secrets).not.toContain(elsewhere.secret);
});
