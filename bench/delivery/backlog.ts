import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from '../cpu.js';
import { sampleBody } from '../sample.js';
import type { BenchReceiver } from './bench-receiver.js';
import { BenchSetup } from './bench-setup.js';

const WEBHOOKS = 100;
const EVENTS = 1_000;

/** A worker starts with a million deliveries owed. Compares the rate of the last tenth with that of the first. */
export async function measureBacklog(count: number, say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  try {
    const receiver = await setup.receiver();
    say(`making ${count.toLocaleString('en')} owed deliveries …`);
    await insertOwedDeliveries(setup, receiver.url, count);
    const worker = setup.worker();
    // Excludes the start of the worker, which does not depend on the backlog.
    await waitForAtLeast(receiver, 1);
    const tenths: { seconds: number; perSecond: number; workerMb: number }[] = [];
    for (let tenth = 1; tenth <= 10; tenth++) {
      const started = performance.now();
      const before = await receiver.seen();
      const reached = await waitForAtLeast(receiver, (count / 10) * tenth);
      const seconds = (performance.now() - started) / 1000;
      tenths.push({ seconds, perSecond: (reached - before) / seconds, workerMb: residentMb(worker.pid) });
      say(`${tenth * 10} %: ${Math.round(tenths.at(-1)!.perSecond)}/s, worker ${tenths.at(-1)!.workerMb} MB`);
    }
    return { count, tenths, lastToFirst: tenths[9]!.perSecond / tenths[0]!.perSecond };
  } finally {
    await setup.close();
  }
}

async function insertOwedDeliveries(setup: BenchSetup, url: string, count: number): Promise<void> {
  const accountId = await setup.subscribers.createAccount();
  const webhookIds: string[] = [];
  for (let one = 0; one < WEBHOOKS; one++)
    webhookIds.push((await setup.subscribers.subscribe(accountId, url)).webhookId);
  await setup.sql.query(
    `with event as (
       insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
       select new_uuid_at(now()), $1, event_sequence($1, n), 'ticket_started', $2, pg_current_xact_id()::text::bigint, now()
       from generate_series(1, $3::int) n returning id
     ), numbered as (
       select array_agg(id) as ids from event
     ), delivery as (
       insert into deliveries (id, account_id, webhook_id, event_id, kind, state, next_attempt_at, created_at)
       select new_uuid_at(now()), $1, ($4::uuid[])[1 + n % cardinality($4::uuid[])], ids[1 + n % $3::int], 'ticket_started', 'pending', now(), now()
       from numbered, generate_series(1, $5::int) n returning id, webhook_id, event_id
     )
     insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
     select id, $1, webhook_id, event_id, 0, false, now() from delivery`,
    [accountId, sampleBody, EVENTS, webhookIds, count],
  );
  await setup.sql.query('vacuum analyze deliveries, owed_deliveries');
}

async function waitForAtLeast(receiver: BenchReceiver, count: number): Promise<number> {
  for (;;) {
    const seen = await receiver.seen();
    if (seen >= count) return seen;
    await wait(200);
  }
}
