import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { newEmail, startTicket } from '../support/desk-records.js';
import { countRoundTrips } from '../support/round-trips.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/** After the answer, or once in ten minutes: nobody waits for these. */
const NOBODY_WAITS = new Set(['bell_ring', 'bearer_note_use']);

async function roundTripsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  const trips = countRoundTrips();
  try {
    const { status } = await request();
    expect(status).toBeLessThan(300);
    return trips.made.filter((name) => !NOBODY_WAITS.has(name));
  } finally {
    trips.stop();
  }
}

describe('Round trips to PostgreSQL of', () => {
  it('a message: who asks, what it is about, and everything that is written', async () => {
    const { number } = await startTicket(desk);

    expect(await roundTripsOf(() => desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello' }))).toEqual([
      'bearer_find',
      'tx_begin + ticket_lock + author_find',
      'message_insert + events_record + tx_commit',
    ]);
  });

  it('a ticket: one more for its number, and one to know the customer', async () => {
    const ticket = { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email };

    expect(await roundTripsOf(() => desk.client().post('/v1/tickets', ticket))).toEqual([
      'bearer_find',
      'ticket_find_cast',
      'ticket_next_number',
      'tx_begin + ticket_open',
      'events_record + tx_commit',
    ]);
  });

  it('a change of a ticket: the ticket, and everything that is written', async () => {
    const { number } = await startTicket(desk);

    const made = await roundTripsOf(() => desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'high' }));

    expect(made).toEqual(['bearer_find', 'tx_begin + ticket_lock', 'ticket_save + events_record + tx_commit']);
  });
});
