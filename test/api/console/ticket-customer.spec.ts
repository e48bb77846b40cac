import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newEmail, ticketFromAna } from '#test/support/desk-records.js';
import { Mirror } from '#test/support/mirror.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

const client = () => oauth.desk.client();
const sql = async (text: string, values: unknown[]) =>
  (await oauth.desk.sql.query<Record<string, unknown>>(text, values)).rows;

describe('the customer of a ticket', () => {
  it('becomes an unknown address, which gets the next reply, and changes back by undo', async () => {
    const number = await ticketFromAna(oauth.desk, { body: 'Hello' });
    const email = newEmail();
    const done = await owner.act(`/tickets/${number}/customer`, { email: email.toUpperCase() });
    const { html } = await owner.get(done.location!);
    expect(html).toContain(`#${number} now belongs to ${email}.`);

    const read = async () => (await client().get(`/v1/tickets/${number}?include=customer`)).body.ticket;
    expect((await read()).customer.email).toBe(email);
    const { body } = await client().post(`/v1/tickets/${number}/messages`, { body: 'Dear you' });
    expect(body.message.links.recipient.href).toContain(email);
    expect((await client().get(`/v1/tickets?q=${encodeURIComponent(email)}`)).body.tickets).toMatchObject([{ number }]);

    const kept = /name="kept" value="([^"]+)"/.exec(html)![1]!;
    await owner.act('/tickets/undo', { kept, back: '' });
    expect((await read()).customer.email).toBe('ana@client.example');
  });

  it('marks its change in the feed, with the replies that had the other recipient', async () => {
    const number = await ticketFromAna(oauth.desk);
    const { body } = await client().post(`/v1/tickets/${number}/messages`, { body: 'Dear Ana' });
    const mirror = new Mirror(client());
    await mirror.catchUp(oauth.desk.sql);
    const email = newEmail();
    await owner.act(`/tickets/${number}/customer`, { email });
    await mirror.catchUp(oauth.desk.sql);

    expect(mirror.records.get(`message ${body.message.id}`).links.recipient.href).toContain(email);
    const kinds = await sql(
      `select a.kind from activities a left join tickets t on t.id = a.ticket_id
       where a.subject = $1 or t.number = $2 and a.kind = 'ticket_customer_changed' order by a.kind`,
      [email, number],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual(['customer_added', 'ticket_customer_changed']);
  });

  it.each([
    ['an email that is none', 422, (number: number) => [number, { email: 'x' }] as const],
    ['an unknown ticket', 404, () => [999_999, { email: 'bo@client.example' }] as const],
  ])('stays when the form has %s', async (_, status, given) => {
    const number = await ticketFromAna(oauth.desk);
    const [path, form] = given(number);
    expect((await owner.act(`/tickets/${path}/customer`, form)).status).toBe(status);
  });
});
