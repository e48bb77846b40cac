import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { runCli } from '../../cli/run.js';
import { recordEvents } from '../../faults/traffic.js';
import type { Desk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const PAGE = readFileSync('docs/machines.md', 'utf8');

/** The rules of the account `deskwire` as docs/machines.md lists them, and its additions for a Cluster. */
export const ACCOUNT_RULES = /ACL SETUSER (deskwire .*)/.exec(PAGE)![1]!.split(' ');
export const CLUSTER_RULES = /In a Cluster, add `([^`]*)`/.exec(PAGE)![1]!.split(' ');

/** Uses all that the account of this desk must be allowed. */
export async function expectSufficientAccount(desk: Desk): Promise<void> {
  await desk.worker();
  const receiver = await desk.receiver();
  await desk.webhook('customer_added', receiver.url);
  await recordEvents(desk, 50);
  await receiver.received(50);

  const counted = await eventually(async () => (await desk.client().get('/v1/me')).headers.get('ratelimit') ?? false);
  expect(counted).toContain('r=');
  expect((await runCli(['doctor'], desk.environment)).out).toMatch(/queue +workers use this queue/);
}
