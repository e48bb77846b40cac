import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../../support/client.js';
import { type SeededAccount, seedAccount } from '../../support/seed.js';
import { isAtRest, readBooks } from './books.js';
import { killsWorker, strikeAll } from './faults.js';
import { MOST_DUPLICATES, type Registered, type Verdict, audit } from './ledger.js';
import { type Call, Visitor } from './load.js';
import { ACCOUNTS, type Plan, type Wish } from './plan.js';
import { MOST_ATTEMPTS, type Stage, WORKER_CONCURRENCY } from './stage.js';

const LOOK_MS = 100;
/** Far longer than any lease, lock or wait: what is still owed then will stay so. */
const RESTS_WITHIN_MS = 60_000;
/** No call may take longer, whatever is down. */
const LOAD_ENDS_WITHIN_MS = 60_000;

/** In a small round one is soon a percent: what counts is the share over all rounds, see `standing`. */
const FEW_DUPLICATES = 5;

export interface Result extends Verdict {
  readonly plan: Plan;
  readonly seconds: number;
}

/** Everything is made anew but the processes: accounts, webhooks, load, faults, and the reckoning when it is over. */
export async function playRound(stage: Stage, plan: Plan): Promise<Result> {
  const began = performance.now();
  const accounts = await stage.sql(async (client) => {
    const seeded: SeededAccount[] = [];
    for (let one = 0; one < ACCOUNTS; one++) seeded.push(await seedAccount(client));
    return seeded;
  });
  for (const receiver of stage.receivers) receiver.forget();
  const webhooks = await registerAll(stage, plan, accounts);
  const calls = await loadAndStrike(stage, plan, accounts);
  const accountIds = accounts.map(({ id }) => id);
  const rests = await comesToRest(stage, accountIds);
  const verdict = audit({
    webhooks: webhooks.map((one) => ({ ...one, mayExhaust: stage.receivers[one.receiver]!.hadOutage })),
    calls,
    arrivals: stage.receivers.flatMap(({ arrivals }) => arrivals),
    books: await readBooks(stage, accountIds),
    mostAttempts: MOST_ATTEMPTS,
  });
  await Promise.all(stage.receivers.map((receiver) => receiver.become('well')));
  const problems = [
    ...verdict.problems,
    ...(rests ? [] : [`not at rest ${RESTS_WITHIN_MS / 1000} s after the last fault`]),
    ...tooManyDuplicates(plan, verdict),
    ...stage.processes.flatMap((process) => process.faults.splice(0)),
  ];
  return { ...verdict, problems, plan, seconds: (performance.now() - began) / 1000 };
}

type Wished = Omit<Registered, 'mayExhaust'> & Pick<Wish, 'receiver'>;

function registerAll(stage: Stage, plan: Plan, accounts: readonly SeededAccount[]): Promise<Wished[]> {
  return Promise.all(
    plan.wishes.map(async ({ account, kind, receiver }, index) => {
      const path = `/round-${plan.round}/webhook-${index}`;
      const { id: accountId, owner } = accounts[account]!;
      const { status, text, body } = await new Client(stage.apis[0]!.base, owner.token).post('/v1/webhooks', {
        event: kind,
        url: `${stage.receivers[receiver]!.url}${path}`,
      });
      if (status !== 201) throw new Error(`A webhook was not registered: ${text}`);
      const { id: webhookId, secret } = (body as { webhook: { id: string; secret: string } }).webhook;
      return { webhookId, accountId, kind, path, secret, receiver };
    }),
  );
}

async function loadAndStrike(stage: Stage, plan: Plan, accounts: readonly SeededAccount[]): Promise<Call[]> {
  const load = Promise.all([visits(stage, plan, accounts), bursts(stage, plan, accounts)]);
  const limit = delay(plan.loadMs + LOAD_ENDS_WITHIN_MS, 'endless' as const, { ref: false });
  const [ended] = await Promise.all([Promise.race([load, limit]), strikeAll(stage, plan.strikes)]);
  if (ended === 'endless') throw new Error(`A call was not answered within ${LOAD_ENDS_WITHIN_MS / 1000} s.`);
  return ended.flat();
}

async function visits(stage: Stage, { loadMs }: Plan, accounts: readonly SeededAccount[]): Promise<Call[]> {
  const visitors = accounts.flatMap((account) => stage.apis.map(({ base }) => new Visitor(base, account)));
  const until = performance.now() + loadMs;
  await Promise.all(visitors.map((visitor) => visitor.work(until)));
  return visitors.flatMap(({ calls }) => calls);
}

async function bursts({ recorder }: Stage, plan: Plan, accounts: readonly SeededAccount[]): Promise<Call[]> {
  const calls = plan.bursts.map(async ({ account, atMs, commits }) => {
    await delay(atMs);
    return recorder.burst(accounts[account]!, commits);
  });
  return (await Promise.all(calls)).flat();
}

async function comesToRest(stage: Stage, accountIds: readonly string[]): Promise<boolean> {
  const end = performance.now() + RESTS_WITHIN_MS;
  while (performance.now() < end) {
    if (await isAtRest(stage, accountIds)) return true;
    await delay(LOOK_MS);
  }
  return false;
}

function tooManyDuplicates({ strikes }: Plan, { due, duplicates }: Verdict): string[] {
  const inHand = strikes.filter(killsWorker).length * WORKER_CONCURRENCY;
  const most = Math.max(FEW_DUPLICATES, Math.floor(due * MOST_DUPLICATES)) + inHand;
  return duplicates <= most ? [] : [`${duplicates} of ${due} arrived again, of at most ${most}`];
}
