import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventKindsEmittedBy } from '#test/support/emitted-events.js';

const desk = await startDesk();
afterAll(() => desk.stop());

const post = (number: number, fields: Record<string, unknown>) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello', ...fields });
const stateOf = async (number: number): Promise<string> =>
  (await desk.client().get(`/v1/tickets/${number}/state`)).body.state;

describe('a message', () => {
  it('opens an unread ticket when an agent writes it, unless it is a note', async () => {
    const { number } = await startTicket(desk);

    expect(await eventKindsEmittedBy(desk, () => post(number, { note: true }))).toEqual(['note_added']);
    expect(await stateOf(number)).toBe('unread');
    expect(await eventKindsEmittedBy(desk, () => post(number, {}))).toEqual(['agent_replied', 'ticket_opened']);
    expect(await stateOf(number)).toBe('opened');
    expect(await eventKindsEmittedBy(desk, () => post(number, {}))).toEqual(['agent_replied']);
  });

  it.each([
    ['closed', 'unread'],
    ['pending', 'unread'],
    ['spam', 'spam'],
  ])('changes a %s ticket to %s when a customer writes it', async (before, after) => {
    const from = newEmail();
    const { number } = await startTicket(desk, { from, state: before });

    expect(await eventKindsEmittedBy(desk, () => post(number, { author: from }))).toEqual(['customer_replied']);
    expect(await stateOf(number)).toBe(after);
  });

  it('returns its body byte for byte, and as text without markup', async () => {
    const { number } = await startTicket(desk);
    const body = '<p>One &amp; <b>two</b></p>\r\n\t <script>alert("🏳️‍🌈")</script>';

    const { body: created } = await post(number, { body });
    const read = await desk.client().get(`/v1/messages/${created.message.id}`);

    expect(read.body).toEqual(created);
    expect(read.body.message).toMatchObject({ body, agent_response: true, note: false });
    expect(read.body.message.plain_text_body).toBe('One & two');
  });

  it('accepts `automatic` for any message, and only as a boolean', async () => {
    const { number } = await startTicket(desk);
    const { status, body } = await post(number, { automatic: 'perhaps' });

    expect([status, body.errors[0].field]).toEqual([422, 'automatic']);
    expect((await post(number, { automatic: true, note: true })).status).toBe(201);
    expect((await post(number, { automatic: null, author: newEmail() })).status).toBe(201);
  });

  it('refuses a note by a customer, and an author that is not an email address', async () => {
    const { number } = await startTicket(desk);

    expect((await post(number, { note: true, author: newEmail() })).body.errors[0].code).toBe('note_by_customer');
    expect((await post(number, { author: 'nobody' })).body.errors[0].field).toBe('author');
    expect((await post(999_999, {})).status).toBe(404);
  });
});
