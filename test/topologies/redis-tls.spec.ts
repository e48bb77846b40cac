// @module-tag long
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { recordEvents } from '../faults/traffic.js';
import { selfSigned } from '../receivers/certificate.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { freePort } from '../../apps/launcher/src/ports.js';
import { PASSWORD, RedisNode } from './support/redis-node.js';

let folder: string;
let node: RedisNode;
let tlsPort: number;
let desk: Desk;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-tls-'));
  const { key, cert } = selfSigned();
  fs.writeFileSync(path.join(folder, 'key'), key);
  fs.writeFileSync(path.join(folder, 'cert'), cert);
  fs.writeFileSync(path.join(folder, 'other'), selfSigned().cert);
  tlsPort = await freePort();
  node = await RedisNode.start({ lines: tlsLines });
  const redisUrl = `rediss://:${PASSWORD}@localhost:${tlsPort}`;
  desk = await startDesk({ redisUrl, settings: { REDIS_CA: path.join(folder, 'cert') } });
});
afterAll(async () => {
  await desk.stop();
  await node.stop();
  fs.rmSync(folder, { recursive: true });
});

it('trusts a Redis behind TLS by REDIS_CA', async () => {
  await desk.worker();
  const receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);

  await recordEvents(desk, 20);

  expect(await receiver.received(20)).toHaveLength(20);
});

it.each([
  ['of another authority', () => ({ REDIS_CA: path.join(folder, 'other') })],
  ['of an unknown authority', () => ({ REDIS_CA: '' })],
])('refuses a certificate %s', async (_, settings) => {
  const { out, code } = await runCli(['doctor'], { ...desk.environment, ...settings() });

  expect(code).toBe(1);
  expect(out).toMatch(/^red +queue +Redis cannot be used: (DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED|.*signature)/m);
});

const tlsLines = (): string[] => [
  `requirepass ${PASSWORD}`,
  `tls-port ${tlsPort}`,
  `tls-key-file ${folder}/key`,
  `tls-cert-file ${folder}/cert`,
  'tls-auth-clients no',
  'save ""',
  'maxmemory-policy noeviction',
];
