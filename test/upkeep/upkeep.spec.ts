import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk();
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

async function finishedAt(): Promise<Record<string, Date>> {
  const { rows } = await desk.sql.query<{ name: string; finished_at: Date }>(
    'select name, finished_at from upkeep_tasks',
  );
  return Object.fromEntries(rows.map(({ name, finished_at: at }) => [name, at]));
}

describe('the tasks of upkeep', () => {
  it('run when they are due, in whichever worker is first, and never in two at once', async () => {
    const other = await DeskUpkeep.start(desk);
    await Promise.all([upkeep.runDue(), other.runDue()]);
    const first = await finishedAt();
    await other.runDue();
    expect(await finishedAt()).toEqual(first);

    desk.clock.advance({ minutes: 10, seconds: 1 });
    await other.runDue();
    await other.stop();

    const second = await finishedAt();
    const again = Object.keys(first).filter((name) => second[name]!.getTime() > first[name]!.getTime());
    expect(again.sort()).toEqual(['backlog', 'expired', 'health', 'snoozed_tickets', 'undeliverable']);
  });

  it('run again a minute after a failure, without delaying the others', async () => {
    await desk.sql.query('alter table idempotency_keys rename to away');
    await upkeep.runDue();
    expect((await finishedAt())['expired']).toBeNull();
    expect((await finishedAt())['health']).not.toBeNull();

    await desk.sql.query('alter table away rename to idempotency_keys');
    desk.clock.advance({ minutes: 1, seconds: 1 });
    await upkeep.runDue();
    expect((await finishedAt())['expired']).not.toBeNull();
  });

  it('run in a worker', async () => {
    await desk.worker();

    const done = await eventually(async () => {
      const all = Object.values(await finishedAt());
      return all.length === 12 && all.every((at) => at !== null) && all;
    });
    expect(done).toHaveLength(12);
  });
});

describe('upkeep of expired records', () => {
  it('removes idempotency keys after four days, and not before', async () => {
    const body = { body: 'It broke.', from: 'c@example.com', to: desk.account.mailbox.email };
    await desk.client().post('/v1/tickets', body, { 'idempotency-key': 'first' });
    expect(await upkeep.run('expired')).toMatchObject({ idempotency_keys: 0 });
    desk.clock.advance({ days: 4 });
    expect(await upkeep.run('expired')).toMatchObject({ idempotency_keys: 0 });
    desk.clock.advance({ hours: 1, seconds: 1 });
    await desk.client().post('/v1/tickets', body, { 'idempotency-key': 'second' });

    expect(await upkeep.run('expired')).toMatchObject({ idempotency_keys: 1 });
    const { rows } = await desk.sql.query('select key from idempotency_keys');
    expect(rows).toEqual([{ key: 'second' }]);
  });

  it('removes thousands of tokens and keeps valid ones', async () => {
    await desk.sql.query(
      `insert into tokens (hash, kind, grant_id, scopes, issued_at, expires_at)
       select sha256(n::text::bytea), 'access', (select grant_id from tokens limit 1), '{read}', now() - interval '3 hours', now() - interval '1 hour'
       from generate_series(1, 4500) n`,
    );

    expect(await upkeep.run('expired')).toMatchObject({ tokens: 4500, sessions: 0 });
    expect((await desk.client().get('/v1/tickets')).status).toBe(200);
  });

  it('removes thousands of rows of dead workers', async () => {
    const longAgo = new Date(desk.clock.now().getTime() - 2 * 86_400_000);
    await desk.sql.query(
      `insert into worker_heartbeats (id, host, pid, version, started_at, seen_at)
       select gen_random_uuid(), 'host', n, '1', $1, $1 from generate_series(1, 4500) n`,
      [longAgo],
    );

    await upkeep.run('expired');
    expect((await desk.sql.query('select from worker_heartbeats')).rowCount).toBe(0);
  });
});

describe('a deleted ticket', () => {
  it('can be restored for 30 days, and is then removed with all its records', async () => {
    const { number } = await startTicket(desk);
    const kept = await startTicket(desk);
    await desk.client().delete(`/v1/tickets/${number}`);
    desk.clock.advance({ days: 29, hours: 23 });
    expect(await upkeep.run('deleted_tickets')).toEqual({ tickets: 0 });
    expect((await desk.client().post(`/v1/tickets/${number}/restore`)).status).toBe(200);

    await desk.client().delete(`/v1/tickets/${number}`);
    desk.clock.advance({ days: 30, seconds: 1 });
    expect(await upkeep.run('deleted_tickets')).toEqual({ tickets: 1 });

    expect((await desk.client().post(`/v1/tickets/${number}/restore`)).status).toBe(404);
    expect((await desk.client().get(`/v1/tickets/${kept.number}`)).status).toBe(200);
    const { rows } = await desk.sql.query('select count(*)::int as count from messages');
    expect(rows).toEqual([{ count: 1 }]);
    const history = await desk.sql.query<{ subject: string }>(
      'select distinct subject from activities where ticket_id is not null',
    );
    expect(history.rows).toEqual([{ subject: `#${kept.number}` }]);
  });
});

describe('upkeep of activities without a ticket', () => {
  it('removes them after a year', async () => {
    await desk.client().post('/v1/customers', { email: 'long-ago@client.test' });
    desk.clock.advance({ days: 364 });
    expect(await upkeep.run('activities')).toEqual({ activities: 0 });
    desk.clock.advance({ days: 1, seconds: 1 });
    expect(await upkeep.run('activities')).toEqual({ activities: 1 });
  });
});

describe('upkeep of files without a message', () => {
  it('removes them when their time is over, and not before', async () => {
    const stray = 'insert into stray_files (id, account_id, due_at) values (gen_random_uuid(), $1, $2)';
    await desk.sql.query(stray, [desk.account.id, new Date(desk.clock.now().getTime() + 3_600_000)]);
    expect(await upkeep.run('stray_files')).toEqual({ files: 0 });

    desk.clock.advance({ hours: 1, seconds: 1 });
    expect(await upkeep.run('stray_files')).toEqual({ files: 1 });
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });
});

describe('upkeep with a delivery to a webhook that has ended', () => {
  it('cancels it, however the webhook ended', async () => {
    const receiver = await desk.receiver({ replies: [503] });
    await desk.webhook('customer_added', receiver.url);
    const worker = await desk.worker({ WEBHOOK_RETRY_SCHEDULE: '3600' });
    for (let n = 0; n < 3; n++) await startTicket(desk);
    await receiver.received(3);
    const attempted = 'select from deliveries where attempts = 1';
    await eventually(async () => (await desk.sql.query(attempted)).rowCount === 3);
    await worker.stop();
    expect(await upkeep.run('undeliverable')).toMatchObject({ deliveries: 0 });
    await desk.sql.query("update webhooks set state = 'disabled', disabled_reason = 'access_revoked'");

    expect(await upkeep.run('undeliverable')).toMatchObject({ deliveries: 3 });
    const { rows } = await desk.sql.query('select distinct state, next_attempt_at from deliveries');
    expect(rows).toEqual([{ state: 'cancelled', next_attempt_at: null }]);
  });
});
