import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';

const desk = deskForFile();

describe('the history of a ticket', () => {
  it('records the values of each changed field that has no event, before and after', async () => {
    const { number, title } = await startTicket(desk);
    const until = '2099-01-31T08:00:00.000Z';

    await desk.client().patch(`/v1/tickets/${number}`, { state: 'pending', title: 'Refund', snoozed_until: until });

    const { rows } = await desk.sql.query(
      `select a.kind, a.detail from activities a join tickets t on t.id = a.ticket_id
       where t.account_id = $1 and t.number = $2 and a.kind in ('ticket_state_changed', 'ticket_retitled', 'ticket_snoozed')
       order by a.kind`,
      [desk.account.id, number],
    );
    expect(rows).toEqual([
      { kind: 'ticket_retitled', detail: { title: 'Refund', changes: { title: [title, 'Refund'] } } },
      { kind: 'ticket_snoozed', detail: { snoozed_until: until, changes: { snoozed_until: [null, until] } } },
      { kind: 'ticket_state_changed', detail: { state: 'pending', changes: { state: ['unread', 'pending'] } } },
    ]);
  });
});
