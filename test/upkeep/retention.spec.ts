import { uuidAt } from '#libs/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from '#test/support/database.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { DeskUpkeep } from '#test/support/upkeep.js';

let desk: Desk;
let upkeep: DeskUpkeep;
beforeEach(async () => {
  desk = await startDesk({ settings: { RETENTION_DAYS: '10' } });
  upkeep = await DeskUpkeep.start(desk);
});
afterEach(async () => {
  await upkeep.stop();
  await desk.stop();
});

const WEEKS = 4;

async function partitions(table: string): Promise<string[]> {
  const { rows } = await desk.sql.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  );
  return rows.map(({ name }) => name);
}

async function count(from: string): Promise<number> {
  const { rows } = await desk.sql.query<{ count: number }>(`select count(*)::int as count from ${from}`);
  return rows[0]!.count;
}

const daysAgo = (days: number): Date => new Date(desk.clock.now().getTime() - days * 86_400_000);

/** An event of that moment with a delivery and an attempt, as the pipeline leaves them. */
async function pastDelivery(days: number, { owed = false } = {}): Promise<string> {
  const at = daysAgo(days);
  const [event, delivery, webhook] = [uuidAt(at), uuidAt(at), uuidAt(at)];
  const { id: account } = desk.account;
  await desk.sql.query(
    `insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
     values ($1, $2, event_sequence($2, 1), 'ticket_started', '{}', 1, $3)`,
    [event, account, at],
  );
  await desk.sql.query(
    `insert into deliveries (id, account_id, webhook_id, event_id, kind, state, attempts, created_at)
     values ($1, $2, $3, $4, 'ticket_started', $5, 1, $6)`,
    [delivery, account, webhook, event, owed ? 'pending' : 'delivered', at],
  );
  await desk.sql.query(
    `insert into attempts (id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, request_headers)
     values ($1, $2, $3, $4, 1, $5, 10, 204, '{}')`,
    [uuidAt(at), account, webhook, delivery, at],
  );
  if (owed)
    await desk.sql.query(
      'insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at) values ($1, $2, $3, $4, 1, false, $5)',
      [delivery, account, webhook, event, at],
    );
  return delivery;
}

/** A partition spans a week, so the current day decides how many days end how many partitions. */
function toTheMiddleOfAWeek(): void {
  const WEDNESDAY = 3;
  desk.clock.advance({ days: (WEDNESDAY + 7 - desk.clock.now().getUTCDay()) % 7 });
}

describe('the partitions', () => {
  it('exist for the coming weeks before they are needed, and accept new rows', async () => {
    const report = await upkeep.run('retention');
    await startTicket(desk);

    expect(report).toMatchObject({ partitions_created: 3 * WEEKS, postponed: 0 });
    for (const table of ['events', 'deliveries', 'attempts']) expect(await partitions(table)).toHaveLength(WEEKS + 1);
    expect(await count('events_default')).toBe(0);
    expect(await count('events')).toBeGreaterThan(0);
  });

  it('disappear when their whole week is too old, and not before', async () => {
    toTheMiddleOfAWeek();
    await upkeep.run('retention');
    await startTicket(desk);
    const [first] = await partitions('events');
    const events = await count('events');

    desk.clock.advance({ days: 9 });
    await upkeep.run('retention');
    expect(await partitions('events')).toContain(first);
    expect(await count('events')).toBe(events);

    desk.clock.advance({ days: 9 });
    const report = await upkeep.run('retention');
    expect(await partitions('events')).not.toContain(first);
    expect(await count('events')).toBe(0);
    expect(report['partitions_dropped']).toBe(3);
    expect(await count(`pg_class where relname = '${first}'`)).toBe(0);
  });

  it('receive the rows of the default partition, which is empty afterwards', async () => {
    await startTicket(desk);
    const before = await count('events');
    desk.clock.advance({ days: 7 });
    await startTicket(desk);

    await upkeep.run('retention');
    expect(await count('events_default')).toBe(before * 2);
    desk.clock.advance({ days: 7 });
    await startTicket(desk);
    expect(await count('events_default')).toBe(before * 2);
    expect(await count('events')).toBe(before * 3);

    expect(await upkeep.run('retention')).toMatchObject({ postponed: 0 });
    expect(await count('events_default')).toBe(before);
    desk.clock.advance({ days: 4 });
    await upkeep.run('retention');
    expect(await count('events_default')).toBe(0);
  });

  it('receive rows of a clock that was ahead from the default partition', async () => {
    desk.clock.advance({ days: 14 });
    await startTicket(desk);
    desk.clock.advance({ days: -14 });

    expect(await upkeep.run('retention')).toMatchObject({ postponed: 0 });
    desk.clock.advance({ days: 7 });
    await startTicket(desk);
    expect(await partitions('events')).toHaveLength(WEEKS + 1);
    expect(await count('events_default')).toBe((await count('events')) / 2);
  });

  it('appear next to a large default partition without a scan of it under a lock', async () => {
    await desk.sql.query(
      `insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
       select new_uuid_at(now()), $1, event_sequence($1, n), 'ticket_started', '{}', 1, now() from generate_series(1, 10001) n`,
      [desk.account.id],
    );
    await upkeep.run('retention');

    const { rows } = await desk.sql.query("select from pg_constraint where conname like '%_default_empty'");
    expect(rows).toHaveLength(0);
    desk.clock.advance({ days: 8 });
    await startTicket(desk);
    expect(await count('events_default')).toBe(10_001);
  });

  it('wait for no lock: a table in use is left for the next run', async () => {
    const held = await withClient(desk.settings.DATABASE_URL, async (other) => {
      await other.query('begin; lock table events_default in access share mode');
      const report = await upkeep.run('retention');
      await startTicket(desk);
      return report;
    });

    expect(held).toMatchObject({ postponed: WEEKS, partitions_created: 2 * WEEKS });
    expect(await upkeep.run('retention')).toMatchObject({ postponed: 0 });
  });

  it('recover from a worker that died between two steps', async () => {
    await upkeep.run('retention');
    const [first] = await partitions('events');
    await desk.sql.query(`alter table events detach partition ${first}`);
    await desk.sql.query('alter table attempts_default add constraint attempts_default_empty check (false) not valid');

    expect(await upkeep.run('retention')).toMatchObject({ postponed: 0 });

    expect(await partitions('events')).toContain(first);
    await pastDelivery(9);
  });
});

describe('upkeep with a delivery past the retention period', () => {
  it('cancels it, and still owes a younger one', async () => {
    await pastDelivery(11, { owed: true });
    const young = await pastDelivery(9, { owed: true });
    await desk.sql.query(
      'insert into outbox (account_id, event_id, webhook_ids) select $1, $2, array_agg(webhook_id) from owed_deliveries',
      [desk.account.id, uuidAt(daysAgo(11))],
    );

    const report = await upkeep.run('retention');

    expect(report).toMatchObject({ owed_cancelled: 1, outbox: 1 });
    const { rows } = await desk.sql.query<{ delivery_id: string }>('select delivery_id from owed_deliveries');
    expect(rows).toEqual([{ delivery_id: young }]);
    expect(await count('deliveries')).toBe(1);
  });
});

describe('running upkeep', () => {
  it('accepts every ticket, even while partitions are created and dropped', async () => {
    await upkeep.run('retention');
    const [first] = await partitions('events');
    const traffic = { goesOn: true };
    const tickets = (async () => {
      let taken = 0;
      for (; traffic.goesOn; taken++) await startTicket(desk);
      return taken;
    })();
    for (let week = 0; week < 4; week++) {
      desk.clock.advance({ days: 7 });
      await upkeep.run('retention');
    }
    traffic.goesOn = false;

    expect(await tickets).toBeGreaterThan(0);
    expect(await partitions('events')).not.toContain(first);
    expect(await count('events_default')).toBe(0);
  });
});
