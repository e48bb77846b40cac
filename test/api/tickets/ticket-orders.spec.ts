import { FOLDERS, TICKET_ORDERS } from '#libs/tickets';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { sendFile } from '#test/support/upload.js';
import { walkValues } from '#test/support/pages.js';
import { DIFFERENT_RECENCY } from '../../fuzz/invariants.js';
import { explainPrepared } from '../../plans/explained.js';

const desk = deskForFile();

const write = (number: number, fields: object) => desk.client().post(`/v1/tickets/${number}/messages`, fields);

const change = (number: number, part: string, value: string) =>
  desk.client().put(`/v1/tickets/${number}/${part}`, { [part]: value });

async function started(fields: Record<string, unknown> = {}): Promise<number> {
  desk.clock.advance({ minutes: 1 });
  return (await startTicket(desk, fields)).number as number;
}

const walked = (query: string): Promise<number[]> =>
  walkValues(desk.client(), `/v1/tickets?per_page=2&${query}`, 'number');

describe('the list of tickets', () => {
  it('begins with the customer who has waited longest, and ends with tickets that wait for no answer', async () => {
    const tags = ['waiting-order'];
    const answered = await started({ tags });
    const patient = await started({ tags });
    const closed = await started({ tags });
    const asksAgain = await started({ tags, from: 'twice@client.test' });
    const last = await started({ tags });
    const byAgent = await started({ tags, from: desk.account.owner.email, to: 'asked@client.test' });
    await write(answered, { body: 'Here you are.' });
    await change(closed, 'state', 'closed');
    await write(patient, { body: 'Who knows?', note: true });
    await write(asksAgain, { body: 'Try this.' });
    desk.clock.advance({ minutes: 1 });
    await write(asksAgain, { body: 'No.', author: 'twice@client.test' });
    desk.clock.advance({ minutes: 1 });
    await write(asksAgain, { body: 'Hello?', author: 'twice@client.test' });

    const order = [patient, last, asksAgain, answered, closed, byAgent];
    expect(await walked('sort=waiting&tag=waiting-order')).toEqual(order);
    expect(await walked('sort=waiting&q=tag:waiting-order')).toEqual(order);
    expect(await walked('sort=waiting&tag=waiting-order&folder=open')).toEqual(order.filter((one) => one !== closed));
    expect(await walked('sort=waiting&tag=waiting-order&folder=closed')).toEqual([closed]);
  });

  it('begins with the most urgent tickets, and within a priority with the latest change', async () => {
    const tags = ['priority-order'];
    const numbers = new Map<string, number>();
    for (const priority of ['low', 'urgent', 'none', 'high', 'medium', 'none again', 'urgent again']) {
      const [word = ''] = priority.split(' ');
      numbers.set(priority, await started({ tags, ...(word !== 'none' && { priority: word }) }));
    }

    expect(await walked('sort=-priority&tag=priority-order')).toEqual(
      ['urgent again', 'urgent', 'high', 'medium', 'low', 'none again', 'none'].map((word) => numbers.get(word)),
    );
  });

  it('lists each folder in the order of updates', async () => {
    const numbers: number[] = [];
    while (numbers.length < 5) numbers.push(await started());
    const [open = 0, snoozed = 0, spam = 0, closed = 0, deleted = 0] = numbers;
    const own = async (query: string) => (await walked(query)).filter((number) => numbers.includes(number));
    await change(snoozed, 'snoozed_until', new Date(desk.clock.now().getTime() + 86_400_000).toISOString());
    await change(spam, 'state', 'spam');
    await change(closed, 'state', 'closed');
    desk.clock.advance({ minutes: 1 });
    await write(spam, { body: 'Look at this.', note: true });
    await desk.client().delete(`/v1/tickets/${deleted}`);

    for (const [folder, number] of Object.entries({ open, closed, spam, deleted }))
      expect({ folder, found: await own(`sort=-updated_at&folder=${folder}`) }).toEqual({ folder, found: [number] });
    expect(await own('sort=-updated_at&state=snoozed')).toEqual([snoozed]);
    expect(await own('sort=updated_at&state=unread,closed')).toEqual([open, snoozed, closed]);
    expect(await own('sort=updated_at')).toEqual([open, snoozed, closed, spam]);
    expect(await own('sort=-updated_at')).toEqual([spam, closed, snoozed, open]);
  });

  it('keeps the copy of what orders tickets', async () => {
    const copies = async () =>
      (await desk.sql.query<{ count: number }>('select count(*)::int as count from ticket_recency')).rows[0]!.count;
    const before = await copies();
    const [changed, deleted, restored] = [await started(), await started(), await started({ priority: 'low' })];
    await write(changed, { body: 'Look.', note: true });
    await write(changed, { body: 'Done.' });
    await change(changed, 'priority', 'urgent');
    await change(changed, 'state', 'closed');
    for (const number of [deleted, restored]) await desk.client().delete(`/v1/tickets/${number}`);
    await desk.client().post(`/v1/tickets/${restored}/restore`, {});
    await desk.sql.query('delete from tickets where account_id = $1 and number = $2', [desk.account.id, deleted]);

    expect((await desk.sql.query(DIFFERENT_RECENCY)).rows).toEqual([]);
    expect(await copies()).toBe(before + 2);
  });

  it('reads the order of waiting customers from an index', async () => {
    const number = await started();
    await desk.sql.query(
      `insert into tickets (id, account_id, number, state, mailbox_id, customer_id, priority, waiting_since, created_at, updated_at)
       select gen_random_uuid(), t.account_id, $2 + n, case when n % 50 = 0 then 'unread' else 'closed' end, t.mailbox_id,
         t.customer_id, (array['low', 'medium', null])[1 + n % 3], now() - n * interval '1 second', now(), now()
       from tickets t, generate_series(1, 20000) n where t.number = $1`,
      [number, 1_000_000],
    );
    await desk.sql.query('analyze tickets');
    const order = TICKET_ORDERS.waiting.keys.map(({ column }) => column).join(', ');

    for (const holds of [FOLDERS.needs_reply.holds, FOLDERS.open.holds, 't.deleted_at is null']) {
      const cost = await explainPrepared(
        desk.sql,
        `select t.id from tickets t where t.account_id = '${desk.account.id}' and ${holds} order by ${order} limit 26`,
      );
      expect(cost!.rows, `${cost!.step} of ${holds}`).toBeLessThanOrEqual(26 * 4);
    }
  });
});

const later = (): string => {
  desk.clock.advance({ hours: 1 });
  return desk.clock.now().toISOString();
};

const idsOf = (path: string): Promise<string[]> => walkValues(desk.client(), path, 'id');

describe('the filter updated_since', () => {
  it('lists the messages of all tickets in the order of their updates', async () => {
    const [first, second] = [await startTicket(desk), await startTicket(desk)];
    const { messages } = (await desk.client().get(`/v1/tickets/${first.number}/messages`)).body;
    const since = later();
    const posted: string[] = [];
    for (const { number } of [second, first, second])
      posted.push((await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Answer' })).body.message.id);
    later();
    await sendFile(desk.client(), `/v1/messages/${messages[0].id}/attachments`, 'text');

    const path = `/v1/messages?updated_since=${since}&per_page=2`;
    expect(await idsOf(path)).toEqual([...posted, messages[0].id]);
    const all = await idsOf('/v1/messages?per_page=3');
    expect(all).toEqual(expect.arrayContaining([...posted, messages[0].id]));
    expect(new Set(all).size).toBe(all.length);
  });

  it('lists customers', async () => {
    const emails = [newEmail(), newEmail(), newEmail()];
    for (const email of emails) await desk.client().post('/v1/customers', { email });
    const since = later();
    const { id } = (await desk.client().patch(`/v1/customers/${emails[1]}`, { about: 'VIP' })).body.customer;
    later();
    const added = (await desk.client().post('/v1/customers', { email: newEmail() })).body.customer;

    const found = await idsOf(`/v1/customers?updated_since=${since}&per_page=1`);
    expect(found).toEqual([id, added.id]);
  });
});
