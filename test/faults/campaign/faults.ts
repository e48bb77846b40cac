import { setTimeout as delay } from 'node:timers/promises';
import { freezeDatabase } from '#test/support/freeze-database.js';
import type { FaultTarget } from './fault-targets.js';
import { floodByMail } from './hostile-mailbox.js';
import { type RedisCommand, cutTransactions, killSession, sendToRedis } from './server-faults.js';
import type { SystemUnderTest } from './system-under-test.js';
import type { ReceiverMode } from './unreliable-receiver.js';

/** One fault of a round: its kind, target, start after the load began, and duration. */
export interface PlannedFault {
  readonly fault: FaultName;
  readonly targetIndex: number;
  readonly atMs: number;
  readonly durationMs: number;
}

interface Fault {
  readonly target: FaultTarget;
  /** Weight in the draw. */
  readonly weight: number;
  /** The maximum duration; 0 for faults that end by themselves. */
  readonly maxDurationMs: number;
  readonly inject: (fixture: SystemUnderTest, strike: PlannedFault) => Promise<unknown>;
}

export const FAULTS = faultTable({
  'worker killed': {
    target: 'worker',
    weight: 4,
    maxDurationMs: 1_000,
    inject: async ({ workers }, { targetIndex, durationMs }) => workers[targetIndex]!.killFor(durationMs),
  },
  'worker stopped': {
    target: 'worker',
    weight: 3,
    maxDurationMs: 1_000,
    inject: async ({ workers }, { targetIndex, durationMs }) => workers[targetIndex]!.stopFor(durationMs),
  },
  'API killed': {
    target: 'api',
    weight: 2,
    maxDurationMs: 500,
    inject: async ({ apis }, { targetIndex, durationMs }) => apis[targetIndex]!.killFor(durationMs),
  },
  'API stopped': {
    target: 'api',
    weight: 2,
    maxDurationMs: 500,
    inject: async ({ apis }, { targetIndex, durationMs }) => apis[targetIndex]!.stopFor(durationMs),
  },
  'API clock ahead': wrongClock('api', 600_000),
  'API clock behind': wrongClock('api', -600_000),
  'worker clock ahead': wrongClock('worker', 600_000),
  'worker clock behind': wrongClock('worker', -600_000),
  'Redis restarted': { target: 'redis', weight: 2, maxDurationMs: 0, inject: ({ redis }) => redis!.restart() },
  'Redis killed': {
    target: 'redis',
    weight: 2,
    maxDurationMs: 1_500,
    inject: async ({ redis }, { durationMs }) => {
      await redis!.kill9();
      await delay(durationMs);
      await redis!.restart();
    },
  },
  'Redis wiped': {
    target: 'redis',
    weight: 3,
    maxDurationMs: 0,
    inject: ({ redis }) => sendToRedis(redis!.url, ['flushall']),
  },
  'Redis paused': {
    target: 'redis',
    weight: 3,
    maxDurationMs: 4_000,
    inject: ({ redis }, { durationMs }) => redis!.pause(durationMs),
  },
  'Redis frozen': {
    target: 'redis',
    weight: 1,
    maxDurationMs: 15_000,
    inject: ({ redis }, { durationMs }) => redis!.pause(durationMs),
  },
  'Redis out of memory': configureRedis(['config', 'set', 'maxmemory', '1'], ['config', 'set', 'maxmemory', '0']),
  // Port 1 of this machine has no server, so the replica keeps its keys.
  'Redis read-only': configureRedis(['replicaof', '127.0.0.1', '1'], ['replicaof', 'no', 'one']),
  'PostgreSQL frozen': {
    target: 'postgres',
    weight: 1,
    maxDurationMs: 15_000,
    inject: (fixture, { durationMs }) =>
      fixture.sql((sql) => freezeDatabase({ sql, server: fixture.postgres }, durationMs)),
  },
  'PostgreSQL restarted': {
    target: 'postgres',
    weight: 4,
    maxDurationMs: 0,
    inject: ({ postgres }) => postgres.restart(),
  },
  'PostgreSQL killed': {
    target: 'postgres',
    weight: 2,
    maxDurationMs: 1_000,
    inject: async ({ postgres }, { durationMs }) => {
      await postgres.kill9();
      await delay(durationMs);
      await postgres.restart();
    },
  },
  'session of PostgreSQL killed': { target: 'postgres', weight: 3, maxDurationMs: 0, inject: killSession },
  'transactions cut': {
    target: 'proxy',
    weight: 3,
    maxDurationMs: 4_000,
    inject: (fixture, { durationMs }) => cutTransactions(fixture, durationMs),
  },
  'receiver refuses': outage('refusing'),
  'receiver resets': outage('resetting'),
  'receiver busy': outage('busy'),
  'receiver asks for rest': outage('pacing'),
  'receiver hangs': outage('hanging', 4_000),
  'IMAP server floods': {
    target: 'mailbox',
    weight: 2,
    maxDurationMs: 10_000,
    inject: (fixture, { durationMs }) => floodByMail(fixture, durationMs),
  },
  'receiver gone for good': {
    target: 'receiver',
    weight: 1,
    maxDurationMs: 0,
    inject: ({ receivers }, { targetIndex }) => receivers[targetIndex]!.setMode('refusing'),
  },
});

export type FaultName = keyof typeof FAULTS;

/** A killed worker may have posted without recording it: only then may many deliveries arrive twice. */
export const killsWorker = ({ fault }: PlannedFault): boolean => fault === 'worker killed';

/** Runs faults of one target in sequence, and those of different targets independently. */
export async function injectFaults(fixture: SystemUnderTest, plannedFaults: readonly PlannedFault[]): Promise<void> {
  const began = performance.now();
  const ends = new Map<string, Promise<unknown>>();
  for (const strike of plannedFaults.toSorted((a, b) => a.atMs - b.atMs)) {
    const { target, inject: act } = FAULTS[strike.fault];
    const struck = `${target} ${strike.targetIndex}`;
    const due = Promise.all([ends.get(struck), delay(began + strike.atMs - performance.now())]);
    ends.set(
      struck,
      due.then(() => act(fixture, strike)),
    );
  }
  await Promise.all(ends.values());
}

function faultTable<Name extends string>(faults: Readonly<Record<Name, Fault>>): typeof faults {
  return faults;
}

function wrongClock(target: 'api' | 'worker', aheadMs: number): Fault {
  return {
    target,
    weight: 1,
    maxDurationMs: 10_000,
    inject: async (fixture, { targetIndex, durationMs }) => {
      const { clock } = (target === 'api' ? fixture.apis : fixture.workers)[targetIndex]!;
      clock.set({ aheadMs });
      await delay(durationMs);
      clock.set({});
    },
  };
}

function outage(mode: ReceiverMode, maxDurationMs = 2_500): Fault {
  return {
    target: 'receiver',
    weight: 2,
    maxDurationMs,
    inject: async ({ receivers }, { targetIndex, durationMs }) => {
      await receivers[targetIndex]!.setMode(mode);
      await delay(durationMs);
      await receivers[targetIndex]!.setMode('well');
    },
  };
}

function configureRedis(harm: RedisCommand, repair: RedisCommand): Fault {
  return {
    target: 'redis',
    weight: 1,
    maxDurationMs: 12_000,
    inject: async ({ redis }, { durationMs }) => {
      await sendToRedis(redis!.url, harm);
      await delay(durationMs);
      await sendToRedis(redis!.url, repair);
    },
  };
}
