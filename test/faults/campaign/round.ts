import { setTimeout as delay } from 'node:timers/promises';
import { PROMPT_WITHIN_MS } from '../../../apps/worker/src/deliveries/limits/delivery-slot-limiter.js';
import { ApiClient } from '#test/support/api-client.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { isNothingOwed, readDatabaseRecords } from './database-records.js';
import { killsWorker, injectFaults } from './faults.js';
import { MAX_DUPLICATE_SHARE, type RegisteredWebhook, type AuditResult, audit } from './audit.js';
import { type ApiCall, LoadClient } from './load.js';
import { ACCOUNTS, type RoundPlan, type PlannedWebhook } from './round-plan.js';
import { MAX_ATTEMPTS, type SystemUnderTest, WORKER_CONCURRENCY } from './system-under-test.js';

const POLL_INTERVAL_MS = 100;
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
  const webhooks = await registerWebhooks(fixture, plan, accounts);
  const calls = await runLoadAndFaults(fixture, plan, accounts);
  const accountIds = accounts.map(({ id }) => id);
  const rests = await waitUntilSettled(fixture, accountIds);
  const { longestMs } = fixture.probe;
  const verdict = audit({
    webhooks: webhooks.map((one) => ({ ...one, mayBeExhausted: fixture.receivers[one.receiver]!.hadOutage })),
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

type PlacedWebhook = Omit<RegisteredWebhook, 'mayBeExhausted'> & Pick<PlannedWebhook, 'receiver'>;

function registerWebhooks(
  fixture: SystemUnderTest,
  plan: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<PlacedWebhook[]> {
  return Promise.all(
    plan.webhooks.map(async ({ account, kind, receiver }, index) => {
      const path = `/round-${plan.round}/webhook-${index}`;
      const { id: accountId, owner } = accounts[account]!;
      const { status, text, body } = await new ApiClient(fixture.apis[0]!.base, owner.token).post('/v1/webhooks', {
        event: kind,
        url: `${fixture.receivers[receiver]!.url}${path}`,
      });
      if (status !== 201) throw new Error(`A webhook was not registered: ${text}`);
      const { id: webhookId, secret } = (body as { webhook: { id: string; secret: string } }).webhook;
      return { webhookId, accountId, kind, path, secret, receiver };
    }),
  );
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
  fixture: SystemUnderTest,
  { loadMs, pauseMs }: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<ApiCall[]> {
  const visitors = accounts.flatMap((account) =>
    fixture.apis.map(({ base }) => new LoadClient(base, account, { pauseMs })),
  );
  const until = performance.now() + loadMs;
  await Promise.all(visitors.map((visitor) => visitor.work(() => performance.now() > until)));
  return visitors.flatMap(({ calls }) => calls);
}

async function runBursts(
  { recorder }: SystemUnderTest,
  plan: RoundPlan,
  accounts: readonly SeededAccount[],
): Promise<ApiCall[]> {
  const calls = plan.bursts.map(async ({ account, atMs, commits }) => {
    await delay(atMs);
    return recorder.burst(accounts[account]!, commits);
  });
  return (await Promise.all(calls)).flat();
}

async function waitUntilSettled(fixture: SystemUnderTest, accountIds: readonly string[]): Promise<boolean> {
  const end = performance.now() + SETTLE_TIMEOUT_MS;
  while (performance.now() < end) {
    if (await isNothingOwed(fixture, accountIds)) return true;
    await delay(POLL_INTERVAL_MS);
  }
  return false;
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
