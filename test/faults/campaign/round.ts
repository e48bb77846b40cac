import { setTimeout as delay } from 'node:timers/promises';
import { PROMPT_WITHIN_MS } from '../../../apps/worker/src/deliveries/limits/delivery-slot-limiter.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { readDatabaseRecords, settles } from './database-records.js';
import { killsWorker, injectFaults } from './faults.js';
import { MAX_DUPLICATE_SHARE, type AuditResult, audit } from './audit.js';
import { type ApiCall, LoadClient, registerWebhook } from './load.js';
import { ACCOUNTS, type RoundPlan } from './round-plan.js';
import { MAX_ATTEMPTS, type SystemUnderTest, WORKER_CONCURRENCY } from './system-under-test.js';

/** Far longer than any lease, lock or wait: deliveries still owed then would stay so. */
const SETTLE_TIMEOUT_MS = 60_000;
/** The maximum duration of a call, whatever is down. */
const LOAD_TIMEOUT_MS = 60_000;

/** In a small round a single duplicate may be a percent: `allRoundsPassed` checks the share over all rounds. */
const ALLOWED_DUPLICATES = 5;

export interface RoundResult extends AuditResult {
  readonly plan: RoundPlan;
  readonly seconds: number;
}

/** Creates everything except the processes: accounts, webhooks, load, faults, and the audit at the end. */
export async function runRound(fixture: SystemUnderTest, plan: RoundPlan): Promise<RoundResult> {
  const began = performance.now();
  const accounts = await fixture.sql(async (client) => {
    const seeded: SeededAccount[] = [];
    for (let one = 0; one < ACCOUNTS; one++) seeded.push(await seedAccount(client));
    return seeded;
  });
  for (const receiver of fixture.receivers) receiver.forget();
  fixture.probe.forget();
  const webhooks = await Promise.all(
    plan.webhooks.map(async ({ account, kind, receiver: place }, index) => {
      const receiver = fixture.receivers[place]!;
      const wanted = { kind, receiver: receiver.url, path: `/round-${plan.round}/webhook-${index}` };
      return { receiver, webhook: await registerWebhook(fixture.apis[0]!.base, accounts[account]!, wanted) };
    }),
  );
  const calls = await runLoadAndFaults(fixture, plan, accounts);
  const accountIds = accounts.map(({ id }) => id);
  const rests = await settles(fixture, accountIds, SETTLE_TIMEOUT_MS);
  const { longestMs } = fixture.probe;
  const verdict = audit({
    webhooks: webhooks.map(({ webhook, receiver }) => ({ ...webhook, mayBeExhausted: receiver.hadOutage })),
    calls,
    arrivals: fixture.receivers.flatMap(({ arrivals }) => arrivals),
    records: await readDatabaseRecords(fixture, accountIds),
    maxAttempts: MAX_ATTEMPTS,
  });
  await Promise.all(fixture.receivers.map((receiver) => receiver.setMode('well')));
  const problems = [
    ...verdict.problems,
    ...(rests ? [] : [`not at rest ${SETTLE_TIMEOUT_MS / 1000} s after the last fault`]),
    ...tooManyDuplicates(plan, verdict, longestMs),
    ...fixture.processes.flatMap((process) => process.violations.splice(0)),
  ];
  return { ...verdict, problems, plan, seconds: (performance.now() - began) / 1000 };
}

async function runLoadAndFaults(
  fixture: SystemUnderTest,
  plan: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<ApiCall[]> {
  const load = Promise.all([runLoadClients(fixture, plan, accounts), runBursts(fixture, plan, accounts)]);
  const limit = delay(plan.loadMs + LOAD_TIMEOUT_MS, 'endless' as const, { ref: false });
  const [ended] = await Promise.all([Promise.race([load, limit]), injectFaults(fixture, plan.faults)]);
  if (ended === 'endless') throw new Error(`A call was not answered within ${LOAD_TIMEOUT_MS / 1000} s.`);
  return ended.flat();
}

async function runLoadClients(
  { apis }: SystemUnderTest,
  { loadMs, pauseMs }: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<ApiCall[]> {
  const clients = accounts.flatMap((account) => apis.map(({ base }) => new LoadClient(base, account, { pauseMs })));
  const until = performance.now() + loadMs;
  await Promise.all(clients.map((client) => client.work(() => performance.now() > until)));
  return clients.flatMap(({ calls }) => calls);
}

async function runBursts(
  { recorder }: SystemUnderTest,
  { bursts }: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<ApiCall[]> {
  const calls = bursts.map(async ({ account, atMs, commits }) => {
    await delay(atMs);
    return recorder.burst(accounts[account]!, commits);
  });
  return (await Promise.all(calls)).flat();
}

/**
 * A killed worker had up to its concurrency in hand, and as much again for each time that slow requests freed their
 * slots: on a busy machine even healthy receivers may be that slow.
 */
function tooManyDuplicates(
  { faults }: RoundPlan,
  { due, duplicates }: AuditResult,
  longestRequestMs: number,
): string[] {
  const inHand = WORKER_CONCURRENCY * (1 + Math.floor(longestRequestMs / PROMPT_WITHIN_MS));
  const ofKilled = faults.filter(killsWorker).length * inHand;
  const most = Math.max(ALLOWED_DUPLICATES, Math.floor(due * MAX_DUPLICATE_SHARE)) + ofKilled;
  const answer = `when a receiver that was well answered within ${Math.round(longestRequestMs)} ms`;
  return duplicates <= most ? [] : [`${duplicates} of ${due} arrived again, of at most ${most} ${answer}`];
}
