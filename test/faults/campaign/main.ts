import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCampaign } from './campaign.js';
import type { BackendKind } from './fault-targets.js';
import { roundLine, resultLine, allRoundsPassed, campaignSummary } from './report.js';
import type { RoundResult } from './round.js';
import { runIncomingCampaign } from '../mail/mail-campaign.js';
import { runOutgoingCampaign } from '../mail/out/out-campaign.js';
import { hasMailServers, installMailServers } from '../mail/server-kinds.js';
import { FAULTS, type FaultName } from '../../topologies/machines/faults.js';
import { runMachines } from '../../topologies/machines/campaign.js';
import { REDIS_KINDS, type RedisKind } from '../../topologies/machines/system.js';
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
  npm run faults -- --side-by-side              rounds of both queues at once; needs four cores
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
  npm run faults -- --topology machines --product DIR --plain
                                                another checkout, which is built; past PgBouncer, and with one address of Redis,
                                                as versions need it that know no more
  npm run faults -- --mail --install            instead, mail while everything between is broken: in by IMAP from a real Dovecot and
                                                a real Cyrus and by SMTP from a real Postfix, out through that Postfix and
                                                through a server that fails in every way; once it has Debian's packages, as root
  npm run faults -- --mail --mails 10000        the same with so many mails in, and so many out; 1000 unless told
  npm run faults -- --mail --only out           one direction alone (in, out)
`;

const MAIL_CAMPAIGNS = { in: runIncomingCampaign, out: runOutgoingCampaign };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: `${randomInt(1, 1_000_000)}` },
    round: { type: 'string' },
    queue: { type: 'string' },
    steady: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '5' },
    'side-by-side': { type: 'boolean', default: false },
    topology: { type: 'string' },
    redis: { type: 'string' },
    product: { type: 'string', default: '.' },
    fault: { type: 'string' },
    plain: { type: 'boolean', default: false },
    mail: { type: 'boolean', default: false },
    mails: { type: 'string', default: '1000' },
    only: { type: 'string' },
    install: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) say(HELP.trimEnd());
else if (values.topology === 'machines') process.exitCode = await runOnMachines();
else if (values.topology !== undefined)
  process.exitCode = (await runTopologies(topologies(values.topology), say, positionals)) ? 0 : 1;
else if (values.mail) process.exitCode = await runMail();
else if (values.steady) process.exitCode = await runSteadily(wholeNumber('minutes', values.minutes));
else process.exitCode = await runFromCommandLine();

async function runOnMachines(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  say(`seed ${seed}`);
  const isMet = await runMachines({
    seed,
    rounds: wholeNumber('rounds', values.rounds),
    kinds: redisKinds(),
    checkout: path.resolve(values.product),
    plain: values.plain,
    faults: faultNames(),
    install: values.install,
    say: (line) => say(`${new Date().toISOString().slice(11, 19)} ${line}`),
  });
  return isMet ? 0 : 1;
}

function faultNames(): FaultName[] | undefined {
  return values.fault?.split(',').map((name) => {
    if (Object.hasOwn(FAULTS, name)) return name as FaultName;
    throw new Error(`--fault is some of: ${Object.keys(FAULTS).join(', ')}.`);
  });
}

function redisKinds(): RedisKind[] {
  const { redis } = values;
  if (redis === undefined) return [...REDIS_KINDS];
  const kind = REDIS_KINDS.find((name) => name === redis);
  if (!kind) throw new Error(`--redis is ${REDIS_KINDS.join(' or ')}.`);
  return [kind];
}

async function runMail(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  const mails = wholeNumber('mails', values.mails);
  const { only = '' } = values;
  if (only !== '' && !(only in MAIL_CAMPAIGNS)) throw new Error('--only is in or out.');
  say(`seed ${seed}`);
  if (values.install) installMailServers();
  if (only !== 'out' && !hasMailServers())
    throw new Error('The mail servers are not here yet. Add --install, as root on Debian 12, the first time.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  let failed = 0;
  for (const [direction, run] of Object.entries(MAIL_CAMPAIGNS)) {
    if (only !== '' && only !== direction) continue;
    say(`mail ${direction}`);
    if (!(await run({ mails, seed, say }))) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

async function runFromCommandLine(): Promise<number> {
  const seed = wholeNumber('seed', values.seed);
  const count = wholeNumber('rounds', values.rounds);
  const minutes = wholeNumber('minutes', values.minutes);
  const one = values.round === undefined ? undefined : wholeNumber('round', values.round);
  const rounds = one === undefined ? Array.from({ length: count }, (_none, index) => index + 1) : [one];
  say(`seed ${seed}`);
  const results = await runCampaign({
    seed,
    rounds,
    queues: queues(),
    sideBySide: values['side-by-side'],
    onResult: (result, fixture) => reportRound(seed, result, { of: Math.max(count, one ?? 0), fixture }),
  });
  say(campaignSummary(seed, results));
  const steadily = one === undefined ? await runSteadily(minutes) : 0;
  return allRoundsPassed(results) ? steadily : 1;
}

async function runSteadily(minutes: number): Promise<number> {
  say(`${minutes} minutes at a steady pace`);
  const result = await runSteady({ queue: queues()[0]!, minutes, say });
  say(resultLine('  in all:', result));
  say(result.problems.length === 0 ? 'the steady pace stood' : 'FAILED: npm run faults -- --steady');
  return result.problems.length === 0 ? 0 : 1;
}

function reportRound(
  seed: number,
  result: RoundResult,
  { of, fixture }: { of: number; fixture: SystemUnderTest },
): void {
  say(roundLine(result, of));
  if (result.problems.length === 0) return;
  const file = path.join(os.tmpdir(), `deskwire-faults-${seed}-${result.plan.round}.log`);
  fs.writeFileSync(file, fixture.processes.map(({ name, log }) => `==== ${name}\n${log}\n`).join(''));
  say(`    the logs of the processes: ${file}`);
}

function queues(): BackendKind[] {
  const { queue } = values;
  if (queue === undefined) return process.env['REDIS_URL'] ? ['redis', 'postgres'] : ['postgres'];
  if (queue === 'redis' || queue === 'postgres') return [queue];
  throw new Error('--queue is redis or postgres.');
}

function topologies(text: string): string[] {
  const names = text === 'all' ? TOPOLOGY_NAMES : text.split(',');
  const unknown = names.find((name) => !SET_UP_NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`--topology is all, or some of ${SET_UP_NAMES.join(', ')}.`);
  return names;
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} is a whole number above 0.`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
