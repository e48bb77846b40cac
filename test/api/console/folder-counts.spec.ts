import { Client } from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { sessionCookie } from '#test/support/live-stream.js';
import { seedAgent } from '#test/support/seed.js';

const desk = await startDesk();
const cookie = await sessionCookie(desk);
afterAll(() => desk.stop());

const FOLDER = /data-folder="(\w+)".*?(?:<span class="count">([\d,+]+)<|<\/a>)/g;

/** The counts that the rail shows, by folder. */
async function told(as = cookie): Promise<Record<string, number>> {
  const html = await (await fetch(`${desk.base}/inbox`, { headers: { cookie: as } })).text();
  return Object.fromEntries([...html.matchAll(FOLDER)].map(([, folder, count]) => [folder, Number(count ?? 0)]));
}

const AWAKE = 'deleted_at is null and snoozed_until is null';

async function counted(agentId = desk.account.owner.id): Promise<Record<string, number>> {
  const { rows } = await desk.sql.query<Record<string, number>>(
    `select count(*) filter (where ${AWAKE} and state in ('unread', 'opened') and waiting_since is not null)::int as needs_reply,
       count(*) filter (where ${AWAKE} and state not in ('closed', 'spam') and assignee_id is null)::int as unassigned,
       count(*) filter (where ${AWAKE} and state not in ('closed', 'spam') and assignee_id = $2)::int as mine,
       count(*) filter (where ${AWAKE} and state not in ('closed', 'spam') and exists (
         select from mentions n join messages s on s.id = n.message_id where s.ticket_id = tickets.id and n.agent_id = $2))::int as mentioned,
       count(*) filter (where ${AWAKE} and state not in ('closed', 'spam'))::int as open,
       count(*) filter (where deleted_at is null and snoozed_until is not null)::int as snoozed,
       count(*) filter (where ${AWAKE} and state = 'closed')::int as closed,
       count(*) filter (where ${AWAKE} and state = 'spam')::int as spam,
       count(*) filter (where deleted_at is not null)::int as deleted
     from tickets where account_id = $1`,
    [desk.account.id, agentId],
  );
  return rows[0]!;
}

const reply = (number: number) => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Done.' });
const change = (number: number, field: string, value: string | null) =>
  desk.client().put(`/v1/tickets/${number}/${field}`, { [field]: value });

describe('the folder counts', () => {
  let numbers: number[];
  beforeEach(async () => {
    numbers = [];
    for (let count = 0; count < 3; count++) numbers.push((await startTicket(desk)).number);
    await told();
  });

  it('match the tickets after each change, including snoozed ones', async () => {
    const [one, two, three] = numbers as [number, number, number];
    const tomorrow = new Date(desk.clock.now().getTime() + 86_400_000).toISOString();
    const changes: (() => Promise<unknown>)[] = [
      () => change(one, 'assignee', desk.account.owner.email),
      () => change(one, 'snoozed_until', tomorrow),
      () => change(two, 'state', 'closed'),
      () => change(two, 'snoozed_until', tomorrow),
      () => change(one, 'snoozed_until', null),
      () => change(two, 'snoozed_until', null),
      () => reply(two),
      () => change(one, 'state', 'pending'),
      () => change(three, 'state', 'spam'),
      () => desk.client().delete(`/v1/tickets/${three}`),
      () => desk.client().post(`/v1/tickets/${three}/restore`),
      () => change(one, 'assignee', null),
      () => startTicket(desk),
    ];
    for (const make of changes) {
      await make();
      expect(await told()).toEqual(await counted());
      // The counts are cached by now.
      expect(await told()).toEqual(await counted());
    }
  });

  it('include a change whose transaction commits after a later one', async () => {
    const [early, late] = numbers as [number, number, number];
    const other = new Client({ connectionString: desk.environment['DATABASE_URL'] });
    await other.connect();
    try {
      await other.query('begin');
      await other.query("update tickets set state = 'spam' where account_id = $1 and number = $2", [
        desk.account.id,
        early,
      ]);
      await change(late, 'state', 'closed');
      expect(await told()).toEqual(await counted());
      await other.query('commit');
      expect(await told()).toEqual(await counted());
    } finally {
      await other.end();
    }
  });

  it('decrease when tickets are purged', async () => {
    const [gone] = numbers as [number, number, number];
    await desk.client().delete(`/v1/tickets/${gone}`);
    await change(numbers[1]!, 'state', 'closed');
    const before = await told();
    await desk.sql.query('delete from tickets where account_id = $1 and number = $2', [desk.account.id, gone]);

    expect(await told()).toEqual({ ...before, deleted: before['deleted']! - 1 });
  });

  it('show each agent their own count of “Mine”', async () => {
    const colleague = await seedAgent(desk.sql, desk.account.id);
    await change(numbers[0]!, 'assignee', colleague.email);

    expect(await told()).toEqual(await counted());
    expect(await told(await sessionCookie(desk, colleague.id))).toEqual(await counted(colleague.id));
  });
});

describe('viewing a ticket again', () => {
  it('locks and writes no row', async () => {
    const { number } = await startTicket(desk);
    const versions = async () => {
      const { rows } = await desk.sql.query<{ of: string }>(
        `select concat_ws(' ', t.xmin, t.xmax, m.xmin, m.xmax) as of from tickets t join read_marks m on m.ticket_id = t.id
         where t.account_id = $1 and t.number = $2`,
        [desk.account.id, number],
      );
      return rows[0]?.of;
    };
    const look = () => fetch(`${desk.base}/tickets/${number}`, { headers: { cookie } });
    await look();
    const seen = await versions();
    await look();

    expect(seen).toBeDefined();
    expect(await versions()).toBe(seen);
  });
});
