import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Client as PgClient } from 'pg';
import { eventually } from '#test/support/eventually.js';
import type { SystemUnderTest } from './system-under-test.js';

export type RedisCommand = readonly [name: string, ...values: string[]];

/** Like a kernel out of memory, or a bug in PostgreSQL: the server then ends all sessions and recovers in place. */
export async function killSession(fixture: SystemUnderTest): Promise<void> {
  const busiest = `
    select pid from pg_stat_activity where application_name like 'deskwire-%' order by state = 'active' desc, pid limit 1`;
  const { rows } = await fixture.sql((client) => client.query<{ pid: number }>(busiest));
  const pid = rows[0]?.pid;
  // No session exists while everything else is down.
  if (pid === undefined) return;
  process.kill(pid, 'SIGKILL');
  // The session is listed until the server has recovered.
  const isListed = (client: PgClient) => client.query('select from pg_stat_activity where pid = $1', [pid]);
  await eventually(async () => (await fixture.sql(isListed)).rowCount === 0, { withinMs: 30_000 });
}

/** Cuts connections after the response to a statement and before its commit. */
export async function cutTransactions({ proxy }: SystemUnderTest, durationMs: number): Promise<void> {
  const end = performance.now() + durationMs;
  for (let cut = 1; performance.now() < end; cut++) await proxy.cutDuring(cut % 20, () => delay(50));
}

export async function sendToRedis(url: string, [name, ...values]: RedisCommand): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true });
  redis.on('error', () => undefined);
  try {
    await redis.call(name, ...values);
  } finally {
    redis.disconnect();
  }
}
