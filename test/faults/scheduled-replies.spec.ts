// @module-tag long
import { ScheduledRepliesService } from '#libs/tickets';
import { afterEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const REPLIES = 20;

const inAnHour = (now: Date): Date => new Date(now.getTime() + 3_600_000);

let desk: Desk | undefined;

afterEach(() => desk?.stop());

it(
  'sends each scheduled reply once when an API is killed while it sends, and others run',
  { timeout: 120_000 },
  async () => {
    desk = await startDesk();
    const { account, sql } = desk;
    const actor = {
      accountId: account.id,
      agentId: account.owner.id,
      role: 'owner',
      applicationId: null,
      requestId: null,
    } as const;
    for (let place = 0; place < REPLIES; place++) {
      const number = await ticketFromAna(desk);
      const reply = { body: 'Good morning.', afterSending: '', sendAt: inAnHour };
      await desk.api.get(ScheduledRepliesService).hold(actor, number, reply, 0);
    }
    const killed = await desk.apiProcess();
    await sql.query(`update held_replies set due_at = now() + interval '1 second'`);
    await eventually(async () => (await sentReplies(desk!)) > 0, { withinMs: 20_000 });
    await killed.kill9();
    await Promise.all([desk.apiProcess(), desk.apiProcess()]);
    await eventually(async () => (await sql.query('select from held_replies')).rowCount === 0, { withinMs: 30_000 });

    const { rows } = await sql.query(
      `select count(distinct m.ticket_id)::int as tickets, count(*)::int as messages,
       (select count(*)::int from activities where kind = 'agent_replied') as events
     from messages m where m.author_agent_id is not null`,
    );
    expect(rows).toEqual([{ tickets: REPLIES, messages: REPLIES, events: REPLIES }]);
    expect((await sql.query('select from drafts')).rowCount).toBe(0);
  },
);

const sentReplies = async ({ sql }: Desk): Promise<number> =>
  (await sql.query('select from messages where author_agent_id is not null')).rowCount ?? 0;
