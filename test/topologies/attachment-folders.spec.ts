// @module-tag long
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const SENTENCE = 'each finds only its own. Set STORAGE_URL to a bucket';

let desk: Desk;
let elsewhere: string;

beforeAll(async () => {
  elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-elsewhere-'));
  desk = await startDesk({ settings: { LOG_LEVEL: 'error' } });
});
afterAll(async () => {
  await desk.stop();
  fs.rmSync(elsewhere, { recursive: true });
});

const doctor = async (): Promise<string> => (await runCli(['doctor'], desk.environment)).out;

it('accepts hosts that share a folder for attachments', async () => {
  const worker = await desk.worker();
  await eventually(async () => (await desk.sql.query('select from attachment_folders')).rowCount === 1);

  expect(await doctor()).toMatch(/^green +attachments +in one folder/m);
  expect(worker.output()).not.toContain(SENTENCE);
});

it('warns of a host with its own folder at its start, and in doctor', async () => {
  const other = await desk.apiProcess({ DATA_DIR: elsewhere });

  await eventually(() => other.output().includes(SENTENCE));
  expect(await doctor()).toMatch(/^red +attachments +in 2 folders \(of /m);
});
