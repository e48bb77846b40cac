import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Target } from './cast.js';
import type { Stage } from './stage.js';
import type { Mood } from './unreliable-receiver.js';

/** One fault of a round: what, to which of its kind, when after the load began, and for how long. */
export interface Strike {
  readonly fault: FaultName;
  readonly which: number;
  readonly atMs: number;
  readonly forMs: number;
}

interface Fault {
  readonly target: Target;
  /** How many tickets it has in the draw. */
  readonly weight: number;
  /** The longest it lasts; at 0 it is over when it is over. */
  readonly lastsMs: number;
  /** Resolves when whatever was struck is up again. */
  readonly strike: (stage: Stage, strike: Strike) => Promise<unknown>;
}

export const FAULTS = named({
  'worker killed': {
    target: 'worker',
    weight: 4,
    lastsMs: 1_000,
    strike: async ({ workers }, { which, forMs }) => workers[which]!.killFor(forMs),
  },
  'worker stopped': {
    target: 'worker',
    weight: 3,
    lastsMs: 1_000,
    strike: async ({ workers }, { which, forMs }) => workers[which]!.stopFor(forMs),
  },
  'API killed': {
    target: 'api',
    weight: 2,
    lastsMs: 500,
    strike: async ({ apis }, { which, forMs }) => apis[which]!.killFor(forMs),
  },
  'API stopped': {
    target: 'api',
    weight: 2,
    lastsMs: 500,
    strike: async ({ apis }, { which, forMs }) => apis[which]!.stopFor(forMs),
  },
  'Redis restarted': { target: 'redis', weight: 2, lastsMs: 0, strike: ({ redis }) => redis!.restart() },
  'Redis killed': {
    target: 'redis',
    weight: 2,
    lastsMs: 1_500,
    strike: async ({ redis }, { forMs }) => {
      await redis!.kill9();
      await delay(forMs);
      await redis!.restart();
    },
  },
  'Redis wiped': { target: 'redis', weight: 3, lastsMs: 0, strike: ({ redis }) => wipe(redis!.url) },
  'Redis paused': {
    target: 'redis',
    weight: 3,
    lastsMs: 4_000,
    strike: ({ redis }, { forMs }) => redis!.pause(forMs),
  },
  'PostgreSQL restarted': { target: 'postgres', weight: 4, lastsMs: 0, strike: ({ postgres }) => postgres.restart() },
  'PostgreSQL killed': {
    target: 'postgres',
    weight: 2,
    lastsMs: 1_000,
    strike: async ({ postgres }, { forMs }) => {
      await postgres.kill9();
      await delay(forMs);
      await postgres.restart();
    },
  },
  'receiver refuses': outage('refusing'),
  'receiver resets': outage('resetting'),
  'receiver busy': outage('busy'),
  'receiver asks for rest': outage('pacing'),
  'receiver hangs': outage('hanging', 4_000),
  'receiver gone for good': {
    target: 'receiver',
    weight: 1,
    lastsMs: 0,
    strike: ({ receivers }, { which }) => receivers[which]!.become('refusing'),
  },
});

export type FaultName = keyof typeof FAULTS;

/** A killed worker may have posted what it could not record any more: only then is much allowed to arrive twice. */
export const killsWorker = ({ fault }: Strike): boolean => fault === 'worker killed';

/** Faults of one and the same thing come after each other, those of different things at their own moments. */
export async function strikeAll(stage: Stage, strikes: readonly Strike[]): Promise<void> {
  const began = performance.now();
  const ends = new Map<string, Promise<unknown>>();
  for (const strike of strikes.toSorted((a, b) => a.atMs - b.atMs)) {
    const { target, strike: act } = FAULTS[strike.fault];
    const struck = `${target} ${strike.which}`;
    const due = Promise.all([ends.get(struck), delay(began + strike.atMs - performance.now())]);
    ends.set(
      struck,
      due.then(() => act(stage, strike)),
    );
  }
  await Promise.all(ends.values());
}

function named<Name extends string>(faults: Readonly<Record<Name, Fault>>): typeof faults {
  return faults;
}

function outage(mood: Mood, lastsMs = 2_500): Fault {
  return {
    target: 'receiver',
    weight: 2,
    lastsMs,
    strike: async ({ receivers }, { which, forMs }) => {
      await receivers[which]!.become(mood);
      await delay(forMs);
      await receivers[which]!.become('well');
    },
  };
}

async function wipe(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true });
  redis.on('error', () => undefined);
  try {
    await redis.flushall();
  } finally {
    redis.disconnect();
  }
}
