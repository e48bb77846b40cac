import { setTimeout as delay } from 'node:timers/promises';
import type { SeededChoices } from '#test/support/seeded-choices.js';
import { eventually } from '#test/support/eventually.js';
import type { FaultOutcome } from './measures.js';
import type { Place } from './network.js';
import type { HostedApp } from './product.js';
import { restoreToPoint } from './restore.js';
import { type MachinesSystem, QUEUE_KEY, type RedisKind } from './system.js';

interface Fault {
  /** Whether a host vanishes, so that its deliveries in hand may arrive again. */
  readonly losesHost?: boolean;
  readonly skewsClock?: boolean;
  readonly only?: RedisKind;
  readonly inject: (system: MachinesSystem, choices: SeededChoices) => Promise<FaultOutcome>;
}

/** Duration of a cut, a frozen server or a wrong clock. */
const LASTS_MS = 15_000;
const PROMOTION_WITHIN_MS = 60_000;

const oneWorker = ({ workers }: MachinesSystem, choices: SeededChoices): HostedApp => choices.pick(workers);

export const FAULTS = faultTable({
  'host of the primary vanishes': { losesHost: true, inject: vanishPrimary },
  'host of the standby vanishes': { losesHost: true, inject: vanishStandby },
  switchover: {
    inject: async ({ postgres }) => {
      await postgres.promotedInsteadOf(await postgres.switchover());
      return { promotedAtMs: Date.now() };
    },
  },
  'Redis primary frozen': { losesHost: true, inject: freezeRedis },
  'Redis primary killed': { losesHost: true, inject: killRedis },
  'host of Redis vanishes': { losesHost: true, inject: vanishRedis },
  'slot of the queue moved': {
    only: 'cluster',
    inject: async ({ redis }) => {
      await redis.moveSlotOf?.(QUEUE_KEY);
      return {};
    },
  },
  'PgBouncer restarted': { inject: restart('pgbouncer') },
  'HAProxy restarted': { inject: restart('haproxy') },
  'clock of a worker 15 s ahead': { skewsClock: true, inject: skew(15) },
  'clock of a worker 15 s behind': { skewsClock: true, inject: skew(-15) },
  'host of a worker vanishes': { losesHost: true, inject: vanishWorker },
  'restore to a point in time': { inject: restoreToPoint },
  'network cut in one direction': { losesHost: true, inject: cutOneWay },
});

export type FaultName = keyof typeof FAULTS;

export const faultsOf = (kind: RedisKind): FaultName[] =>
  (Object.keys(FAULTS) as FaultName[]).filter((name) => (FAULTS[name].only ?? kind) === kind);

async function vanishPrimary({ network, postgres }: MachinesSystem): Promise<FaultOutcome> {
  const former = await eventually(() => postgres.primary());
  return whileVanished({ network }, former, () =>
    postgres.promotedInsteadOf(former, PROMOTION_WITHIN_MS).then(Date.now),
  );
}

async function vanishStandby({ network, postgres }: MachinesSystem): Promise<FaultOutcome> {
  const primary = await eventually(() => postgres.primary());
  return whileVanished(
    { network },
    postgres.hosts.find((host) => host !== primary)!,
  );
}

async function vanishRedis(system: MachinesSystem): Promise<FaultOutcome> {
  const struck = await system.redis.ownerOf(QUEUE_KEY);
  return whileVanished(system, system.hosts.at(struck.host), () => promotedRedis(system, struck));
}

/** Until some time after the promotion, if one is to come. */
async function whileVanished(
  { network }: Pick<MachinesSystem, 'network'>,
  host: Place,
  promotion?: () => Promise<number>,
): Promise<FaultOutcome> {
  const back = network.vanish(host);
  try {
    const promotedAtMs = await promotion?.();
    await delay(LASTS_MS);
    return promotedAtMs === undefined ? {} : { promotedAtMs };
  } finally {
    back();
  }
}

/** Resolves when another server than the failed one has the queue. */
async function promotedRedis({ redis }: MachinesSystem, former: unknown): Promise<number> {
  await eventually(
    async () => {
      const owner = await redis.ownerOf(QUEUE_KEY);
      if (owner === former) return false;
      return (await owner.ask((client) => client.info('replication'))).includes('role:master');
    },
    { withinMs: PROMOTION_WITHIN_MS },
  );
  return Date.now();
}

async function freezeRedis(system: MachinesSystem): Promise<FaultOutcome> {
  const struck = await system.redis.ownerOf(QUEUE_KEY);
  struck.freeze();
  const promotedAtMs = await promotedRedis(system, struck);
  await delay(LASTS_MS);
  struck.thaw();
  return { promotedAtMs };
}

async function killRedis(system: MachinesSystem): Promise<FaultOutcome> {
  const struck = await system.redis.ownerOf(QUEUE_KEY);
  await struck.kill9();
  const promotedAtMs = await promotedRedis(system, struck);
  await delay(LASTS_MS / 3);
  await struck.start();
  return { promotedAtMs };
}

function restart(name: 'haproxy' | 'pgbouncer'): Fault['inject'] {
  return async ({ balancer }) => {
    await balancer.restart(name);
    return {};
  };
}

function skew(seconds: number): Fault['inject'] {
  return async (system, choices) => {
    const worker = oneWorker(system, choices);
    const fromMs = Date.now();
    worker.setClock(seconds);
    await delay(2 * LASTS_MS);
    worker.setClock(0);
    // A worker compares its clock every ten seconds.
    return { away: { worker: worker.host.address, fromMs, untilMs: Date.now() + LASTS_MS } };
  };
}

async function vanishWorker(system: MachinesSystem, choices: SeededChoices): Promise<FaultOutcome> {
  const { host } = oneWorker(system, choices);
  const fromMs = Date.now();
  await whileVanished(system, host);
  return { away: { worker: host.address, fromMs, untilMs: Date.now() + LASTS_MS } };
}

/** Between a worker and a server in either direction; or from the primary to its standby. */
async function cutOneWay(system: MachinesSystem, choices: SeededChoices): Promise<FaultOutcome> {
  const { host: worker } = oneWorker(system, choices);
  const queue = system.hosts.at((await system.redis.ownerOf(QUEUE_KEY)).host);
  const primary = await eventually(() => system.postgres.primary());
  const standby = system.postgres.hosts.find((host) => host !== primary)!;
  const { host: balancer } = system.balancer;
  const ways: [Place, Place][] = [
    [worker, balancer],
    [balancer, worker],
    [worker, queue],
    [queue, worker],
    [primary, standby],
  ];
  const [from, to] = choices.pick(ways);
  const fromMs = Date.now();
  const mend = system.network.cut(from, to);
  await delay(LASTS_MS);
  mend();
  if (from !== worker && to !== worker) return {};
  return { away: { worker: worker.address, fromMs, untilMs: Date.now() + LASTS_MS } };
}

function faultTable<Name extends string>(faults: Readonly<Record<Name, Fault>>): typeof faults {
  return faults;
}
