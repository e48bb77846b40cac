import { describe, expect, it } from 'vitest';
import { newAccount } from '#test/support/account-desk.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { seedToken } from '#test/support/seed.js';

const desk = deskForFile();

const customerAt = (email: string) => `/v1/customers/${encodeURIComponent(email)}`;
const pathOf = (href: string) => new URL(href).pathname + new URL(href).search;
const move = (from: string, to: string) => desk.client().patch(customerAt(from), { email: to });

async function movedCustomer() {
  const [before, after] = [newEmail('before'), newEmail('after')];
  const { number } = await startTicket(desk, { from: before });
  await move(before, after);
  return { before, after, number };
}

/** Where the address leads, or the status without a redirect. */
async function leadsTo(email: string): Promise<string | number> {
  const { status, headers, body } = await desk.client().get(customerAt(email));
  if (status !== 301) return status === 200 ? body.customer.email : status;
  expect(headers.get('location')).toBe(body.customer.href);
  return body.customer.email as string;
}

describe('the former address of a customer', () => {
  it('redirects GET and HEAD to the present address, which no cache may keep', async () => {
    const { before, after } = await movedCustomer();

    const read = await desk.client().get(customerAt(before.toUpperCase()));
    const head = await fetch(new URL(customerAt(before), desk.base), {
      method: 'HEAD',
      redirect: 'manual',
      headers: { authorization: `Bearer ${desk.account.owner.token}` },
    });

    expect([read.status, read.body.customer.email]).toEqual([301, after]);
    expect([head.status, head.headers.get('location')]).toEqual([301, read.headers.get('location')]);
    expect(read.headers.get('cache-control')).toBe('no-store');
  });

  it('names the customer for PUT, PATCH and DELETE, and in the filter of tickets', async () => {
    const { before, after, number } = await movedCustomer();

    const put = await desk.client().put(customerAt(before), { title: 'CFO' });
    const patched = await desk.client().patch(customerAt(before), { about: 'Moved' });
    const listed = await desk.client().get(`/v1/tickets?customer=${encodeURIComponent(before)}`);
    await desk.client().delete(`/v1/tickets/${number}`);
    const removed = await desk.client().delete(customerAt(before));

    expect([put.status, patched.body.customer]).toMatchObject([200, { title: 'CFO', about: 'Moved', email: after }]);
    expect(listed.body.tickets.map((ticket: { number: number }) => ticket.number)).toEqual([number]);
    expect([removed.status, await leadsTo(before), await leadsTo(after)]).toEqual([204, 404, 404]);
  });

  it('leads to the last of several addresses, also after a return to the first', async () => {
    const [a, b, c] = [newEmail('a'), newEmail('b'), newEmail('c')];
    await startTicket(desk, { from: a });
    await move(a, b);
    await move(b, c);
    expect([await leadsTo(a), await leadsTo(b), await leadsTo(c)]).toEqual([c, c, c]);

    await move(c, a);
    expect([await leadsTo(a), await leadsTo(b), await leadsTo(c)]).toEqual([a, a, a]);
  });

  it('belongs to a new customer with this address, and later to the last one who had it', async () => {
    const { before } = await movedCustomer();
    const heir = newEmail('heir');
    await startTicket(desk, { from: before });
    const whileTaken = await desk.client().get(customerAt(before));
    await move(before, heir);

    expect([whileTaken.status, whileTaken.body.customer.email]).toEqual([200, before]);
    expect(await leadsTo(before)).toBe(heir);
  });

  it('leads nowhere once a customer who took it over is deleted', async () => {
    const { before } = await movedCustomer();
    await desk.client().post('/v1/customers', { email: before });
    await desk.client().delete(customerAt(before));

    expect(await leadsTo(before)).toBe(404);
  });

  it('means nothing in another account', async () => {
    const { before } = await movedCustomer();
    const other = (await newAccount(desk)).client();

    expect((await other.get(customerAt(before))).status).toBe(404);
    expect((await other.get(`/v1/tickets?customer=${encodeURIComponent(before)}`)).body.tickets).toEqual([]);
  });

  it('needs the scope of customers', async () => {
    const { before } = await movedCustomer();
    const { id: accountId, owner } = desk.account;
    const token = await seedToken(desk.sql, { accountId, agentId: owner.id, scopes: ['tickets:read'] });
    const refused = await desk.client(token).get(customerAt(before));

    expect([refused.status, refused.headers.get('location')]).toEqual([403, null]);
    expect(refused.body.detail).toContain('customers:read');
  });

  it('keeps the links of older events working', async () => {
    const [email, after] = [newEmail('stored'), newEmail('present')];
    const { number } = await startTicket(desk, { from: email });
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'More', author: email });
    await move(email, after);
    const { rows } = await desk.sql.query<{ kind: string; payload: string }>(
      `select kind, payload from events where payload like $1 order by sequence`,
      [`%${email}%`],
    );
    const payloadOf = (kind: string) => JSON.parse(rows.find((row) => row.kind === kind)!.payload);
    const customer = payloadOf('customer_added');
    const hrefs = [
      customer.href,
      payloadOf('ticket_started').links.customer.href,
      payloadOf('customer_replied').links.author.href,
    ];
    const tickets = await desk.client().get(pathOf(customer.links.tickets.href));

    for (const href of hrefs) expect((await desk.client().get(pathOf(href))).body.customer.email).toBe(after);
    expect(tickets.body.tickets.map((ticket: { number: number }) => ticket.number)).toEqual([number]);
  });
});
