import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { sessionCookie } from '#test/support/live-stream.js';
import { roundTripsOf } from '#test/support/round-trips.js';
import { PgBouncer } from '../../topologies/support/pgbouncer.js';

/** Statements that run after the response, once in ten minutes or on a timer. No request waits for them. */
const NOBODY_WAITS = new Set(['bell_ring', 'bearer_note_use', 'held_reply_due']);

/** A ring of the bell goes out with a commit when the bell has been quiet. */
const BELL = / \+ bell_ring$/;

/** The transaction settings go out with the first statement and cost no round trip. */
const SETTINGS_OF_POOLED = /tx_settings \+ /;

async function tripsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  const made = await roundTripsOf(async () => expect((await request()).status).toBeLessThan(300));
  return made
    .map((name) => name.replace(SETTINGS_OF_POOLED, '').replace(BELL, ''))
    .filter((name) => !NOBODY_WAITS.has(name));
}

describe.each([
  ['PostgreSQL', async () => undefined],
  ['PgBouncer', () => PgBouncer.inFrontOf(process.env['DATABASE_URL']!)],
])('the API on %s', (_, startPooler) => {
  let desk: Desk;
  let pooler: PgBouncer | undefined;
  beforeAll(async () => {
    pooler = await startPooler();
    desk = await startDesk({ pooler });
  });
  afterAll(async () => {
    await desk.stop();
    await pooler?.stop();
  });

  it('writes a message in three round trips', async () => {
    const { number } = await startTicket(desk);

    expect(await tripsOf(() => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello' }))).toEqual([
      'bearer_find',
      'tx_begin + ticket_lock_with_actor',
      'message_insert + events_insert + tx_commit',
    ]);
  });

  it('writes a ticket in five round trips, of which one is for its number and one for the customer', async () => {
    const ticket = { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email };

    expect(await tripsOf(() => desk.client().post('/v1/tickets', ticket))).toEqual([
      'bearer_find',
      'ticket_find_references',
      'ticket_next_number',
      'tx_begin + ticket_insert',
      'search_index_customer + events_insert + tx_commit',
    ]);
  });

  it('changes a ticket in three round trips', async () => {
    const { number } = await startTicket(desk);

    const made = await tripsOf(() => desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'high' }));

    expect(made).toEqual(['bearer_find', 'tx_begin + ticket_lock', 'ticket_save + events_insert + tx_commit']);
  });

  it('shows a ticket next to its list in the console, reading each record once and no hidden counts', async () => {
    const { number } = await startTicket(desk);
    const cookie = await sessionCookie(desk);

    const made = await tripsOf(() => fetch(`${desk.base}/tickets/${number}?folder=open`, { headers: { cookie } }));

    expect(made.slice(0, 3)).toEqual(['session_find', 'live_tickets', 'live_ticket']);
    expect(made.filter((name) => name === 'ticket_read')).toHaveLength(1);
    expect(made).toHaveLength(19);
  });

  it('rings a quiet bell with the commit, without a round trip', async () => {
    const { number } = await startTicket(desk);

    const wentAlong = await eventually(async () => {
      const trips = await roundTripsOf(() => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello' }));
      return trips.some((name) => BELL.test(name));
    });

    expect(wentAlong).toBe(true);
  });
});
