import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.js';
import type { BackendKind } from './fault-targets.js';
import { roundLine, resultLine, allRoundsPassed, campaignSummary } from './report.js';
import { runDeskCampaign } from '../desk/desk-campaign.js';
import { runIncomingCampaign } from '../mail/mail-campaign.js';
import { runOutgoingCampaign } from '../mail/out/out-campaign.js';
import { hasMailServers, installMailServers } from '../mail/server-kinds.js';
import { FAULTS, type FaultName } from '../../topologies/machines/faults.js';
import { runMachines } from '../../topologies/machines/campaign.js';
import { REDIS_KINDS } from '../../topologies/machines/system.js';
import { SET_UP_NAMES, TOPOLOGY_NAMES, runTopologies } from '../../topologies/run.js';
import { runSteady } from './steady.js';
import type { SystemUnderTest } from './system-under-test.js';

const HELP = `Breaks the product at random moments under load, on servers of its own, and checks after each round what became of
every event that was committed. Ends with code 1 when something was lost, invented, altered or delivered too often.

  npm run faults                                200 rounds, with the queue in Redis and in PostgreSQL in turn, and then five
                                                minutes at a steady pace beside a receiver that fails and one that hangs
  npm run faults -- --rounds 20                 20 rounds
  npm run faults -- --seed 7                    the same faults at the same moments as that seed had before
  npm run faults -- --seed 7 --round 31         one round alone
  npm run faults -- --queue redis               one queue alone (redis, postgres)
  npm run faults -- --steady                    these five minutes alone
  npm run faults -- --minutes 60                an hour of them (5)
  npm run faults -- --topology all              instead, the tests of the API and of the pipeline on one server each, on
                                                Sentinels, on a Cluster, and behind PgBouncer
                                                (single, sentinel, cluster, pgbouncer; several separated by commas; also
                                                valkey, valkey-sentinel, valkey-cluster)
  npm run faults -- --topology all -- test/api/tickets/tickets.spec.ts
                                                the same with these tests
  npm run faults -- --topology machines         instead, the product on hosts of their own (network namespaces; as root): four
                                                workers and two APIs, PostgreSQL in a pair under Patroni behind HAProxy and
                                                PgBouncer, Redis with Sentinels and as a Cluster. One host or server is struck
                                                in each round of about a minute. --rounds counts those of both. With --install
                                                the first time, which fetches Debian's packages into .data
  npm run faults -- --topology machines --redis sentinel
                                                on one of the two (sentinel, cluster)
  npm run faults -- --topology machines --fault 'switchover,Redis primary frozen'
                                                these faults alone
  npm run faults -- --mail --install            instead, mail while everything between is broken: in by IMAP from a real Dovecot and
                                                a real Cyrus and by SMTP from a real Postfix, out through that Postfix and
                                                through a server that fails in every way; once it has Debian's packages, as root
  npm run faults -- --mail --mails 10000        the same with so many mails in, and so many out; 1000 unless told
  npm run faults -- --mail --only out           one direction alone (in, out)
  npm run faults -- --desk                      instead, agents who merge, schedule, undo, mention, assign and forward at two
                                                APIs, and customers who answer by mail, while APIs and workers are killed
  npm run faults -- --desk --actions 2000       the same with so many actions; 400 unless told
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: `${randomInt(1, 1_000_000)}` },
    round: { type: 'string' },
    queue: { type: 'string' },
    steady: { type: 'boolean' },
    minutes: { type: 'string', default: '5' },
    topology: { type: 'string' },
    redis: { type: 'string' },
    fault: { type: 'string' },
    mail: { type: 'boolean' },
    mails: { type: 'string', default: '1000' },
    only: { type: 'string' },
    desk: { type: 'boolean' },
    actions: { type: 'string', default: '400' },
    install: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});
const say = (line: string): unknown => process.stdout.write(`${line}\n`);

if (values.help) say(HELP.trimEnd());
else process.exitCode = (await run()) ? 0 : 1;

function run(): Promise<boolean> {
  if (values.topology === 'machines') return runOnMachines();
  if (values.topology === 'all') return runTopologies(TOPOLOGY_NAMES, say, positionals);
  if (values.topology !== undefined) return runTopologies(someOf('topology', SET_UP_NAMES), say, positionals);
  if (values.mail) return runMail();
  if (values.desk) return runDesk();
  return values.steady ? runSteadily() : runRounds();
}

function runOnMachines(): Promise<boolean> {
  return runMachines({
    seed: seedOfRun(),
    rounds: wholeNumber('rounds'),
    kinds: someOf('redis', REDIS_KINDS),
    faults: values.fault === undefined ? undefined : someOf('fault', Object.keys(FAULTS) as FaultName[]),
    install: values.install,
    say: (line) => say(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
}

async function runMail(): Promise<boolean> {
  const directions = someOf('only', ['in', 'out'] as const);
  const options = { mails: wholeNumber('mails'), seed: seedOfRun(), say };
  if (values.install) installMailServers();
  if (directions.includes('in') && !hasMailServers())
    throw new Error('The mail servers are not here yet. Add --install, as root on Debian 12, the first time.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  let isMet = true;
  for (const direction of directions) {
    say(`mail ${direction}`);
    isMet = (await (direction === 'in' ? runIncomingCampaign : runOutgoingCampaign)(options)) && isMet;
  }
  return isMet;
}

async function runDesk(): Promise<boolean> {
  const { lost, twice, wrong } = await runDeskCampaign({ seed: seedOfRun(), actions: wholeNumber('actions'), say });
  return lost.length + twice.length + wrong.length === 0;
}

async function runRounds(): Promise<boolean> {
  const seed = seedOfRun();
  const count = wholeNumber('rounds');
  const one = values.round === undefined ? undefined : wholeNumber('round');
  const results = await runCampaign({
    seed,
    rounds: one === undefined ? Array.from({ length: count }, (_none, index) => index + 1) : [one],
    queues: queues(),
    onResult: (result, system) => {
      say(roundLine(result, Math.max(count, one ?? 0)));
      if (result.problems.length > 0) keepLogs(`${seed}-${result.plan.round}`, system);
    },
  });
  say(campaignSummary(seed, results));
  const isSteady = one !== undefined || (await runSteadily());
  return allRoundsPassed(results) && isSteady;
}

function keepLogs(name: string, { processes }: SystemUnderTest): void {
  const file = path.join(os.tmpdir(), `deskwire-faults-${name}.log`);
  fs.writeFileSync(file, processes.map((one) => `==== ${one.name}\n${one.log}\n`).join(''));
  say(`    the logs of the processes: ${file}`);
}

async function runSteadily(): Promise<boolean> {
  const minutes = wholeNumber('minutes');
  say(`${minutes} minutes at a steady pace`);
  const result = await runSteady(queues()[0]!, minutes, say);
  say(resultLine('  in all:', result));
  const isMet = result.problems.length === 0;
  say(isMet ? 'the steady pace stood' : 'FAILED: npm run faults -- --steady');
  return isMet;
}

function queues(): BackendKind[] {
  const all = someOf('queue', ['redis', 'postgres'] as const);
  return values.queue !== undefined || process.env['REDIS_URL'] ? all : ['postgres'];
}

function seedOfRun(): number {
  const seed = wholeNumber('seed');
  say(`seed ${seed}`);
  return seed;
}

/** All of them by default. */
function someOf<Name extends string>(
  option: 'topology' | 'redis' | 'fault' | 'only' | 'queue',
  names: readonly Name[],
): Name[] {
  const given = values[option]?.split(',');
  const unknown = given?.find((name) => !names.includes(name as Name));
  if (unknown !== undefined) throw new Error(`--${option} is some of ${names.join(', ')}.`);
  return names.filter((name) => given?.includes(name) ?? true);
}

function wholeNumber(option: 'rounds' | 'round' | 'seed' | 'minutes' | 'mails' | 'actions'): number {
  const value = Number(values[option]);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${option} is a whole number above 0.`);
}
