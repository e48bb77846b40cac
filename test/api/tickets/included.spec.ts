import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';

describe('include on tickets', () => {
  const desk = deskForFile();
  const numbers: number[] = [];

  beforeAll(async () => {
    for (const body of ['مرحبا', '請求書', 'third']) numbers.push((await startTicket(desk, { body })).number);
  });

  const read = async (query: string) => (await desk.client().get(`/v1/tickets/${numbers[0]}${query}`)).body.ticket;
  const alone = async (path: string) => (await desk.client().get(path)).body;

  it('returns the customer and the messages of each ticket, equal to those at their own URLs', async () => {
    const { body } = await desk.client().get('/v1/tickets?include=messages,customer&sort=number');

    for (const ticket of body.tickets) {
      const { messages, customer, has_all_messages: hasAll, ...record } = ticket;
      const path = `/v1/tickets/${ticket.number}`;
      expect(record).toEqual((await alone(path)).ticket);
      expect(messages).toEqual((await alone(`${path}/messages`)).messages);
      expect(customer).toEqual((await alone(new URL(ticket.links.customer.href).pathname)).customer);
      expect(hasAll).toBe(true);
    }
    expect(body.tickets.map(({ messages }: { messages: { body: string }[] }) => messages[0]!.body)).toEqual([
      'مرحبا',
      '請求書',
      'third',
    ]);
  });

  it('includes nothing by default, and stays in next_page', async () => {
    const { body } = await desk.client().get('/v1/tickets?include=customer&per_page=1');
    const next = new URL(body.meta.pagination.next_page);

    expect(Object.keys(await read(''))).not.toContain('customer');
    expect(Object.keys(await read('?include=customer'))).not.toContain('messages');
    expect(next.searchParams.get('include')).toBe('customer');
  });

  it('returns at most 25 messages of a ticket, and says that there are more', async () => {
    const { number } = await startTicket(desk);
    for (let count = 0; count < 25; count++)
      await desk.client().post(`/v1/tickets/${number}/messages`, { body: `${count}` });

    const { body } = await desk.client().get(`/v1/tickets/${number}?include=messages`);

    expect(body.ticket.messages).toHaveLength(25);
    expect(body.ticket.messages.at(-1).body).toBe('23');
    expect(body.ticket.has_all_messages).toBe(false);
    expect(body.ticket.message_count).toBe(26);
  });

  it('limits all messages to 2 MiB, the first tickets first', async () => {
    const large = 'a'.repeat(450_000);
    const made = [];
    for (let count = 0; count < 3; count++)
      made.push((await startTicket(desk, { body: large, subject: 'bulky' })).number);

    const { body, text } = await desk.client().get('/v1/tickets?q=bulky&include=messages&sort=number');

    expect(text.length).toBeLessThan(2.1 * 1024 * 1024);
    const told = body.tickets.map((one: { messages: unknown[]; has_all_messages: boolean }) => [
      one.messages.length,
      one.has_all_messages,
    ]);
    expect(body.tickets.map(({ number }: { number: number }) => number)).toEqual(made);
    expect(told).toEqual([
      [1, true],
      [1, true],
      [0, false],
    ]);
  });

  it('works for a deleted ticket', async () => {
    const { number } = await startTicket(desk, { body: 'gone' });
    await desk.client().delete(`/v1/tickets/${number}`);

    const { body } = await desk.client().get(`/v1/tickets/${number}?include=messages`);

    expect(body.ticket.messages).toMatchObject([{ body: 'gone' }]);
    expect(body.meta.deleted_at).toBeTruthy();
  });
});
