import type { Desk } from '../desk.js';

const PARTS: Readonly<Record<string, readonly unknown[]>> = {
  state: ['opened', 'pending', 'closed', 'closed', 'unread', 'spam', 'opened', 'x', null, 7],
  assignee: [
    'admin@example.com',
    'ADMIN@example.com',
    'plain@example.com',
    null,
    'unassigned',
    'leaving@example.com',
    'nobody@example.com',
    '',
    7,
  ],
  assigned_group: ['Refunds', null, 'Refunds', 'none', 'nothing', '', {}],
  priority: ['high', 'urgent', 'none', 'low', null, 'x', 3],
  mailbox: ['Billing', 'billing@example.com', 'nothing', null, ''],
  title: ['Another title', 'With <b> & "quotes"', null, '', 'x'.repeat(501), 7],
  tags: [['a', 'B'], ['b', 'a'], 'c, d', [], ['x'.repeat(101)], null, [7]],
};

/** Every part of a ticket: read, changed, changed to what it is, refused, and held to its tag. */
export async function ticketParts(desk: Desk): Promise<void> {
  for (const [part, values] of Object.entries(PARTS)) {
    const path = `/v1/tickets/1/${part}`;
    const before = await desk.api(`GET ${path}`);
    await desk.api(`GET ${path}`, { headers: { 'if-none-match': before.header('etag') ?? '' } });
    await desk.api(`HEAD ${path}`);
    for (const value of values) await desk.api(`PUT ${path}`, { json: { [part]: value } });
    await desk.api(`PUT ${path}`, { json: {} });
    await desk.api(`PUT ${path}`, {
      json: { [part]: values[0] },
      headers: { 'if-match': before.header('etag') ?? '' },
      about: 'with the tag it had',
    });
    const now = await desk.api(`GET ${path}`);
    await desk.api(`PUT ${path}`, {
      json: { [part]: values[0] },
      headers: { 'if-match': now.header('etag') ?? '' },
      about: 'with its tag',
    });
    const whole = await desk.api('GET /v1/tickets/1');
    await desk.api(`PUT ${path}`, {
      json: { [part]: values[1] },
      headers: { 'if-match': whole.header('etag') ?? '' },
      about: 'with the ticket’s tag',
    });
    await desk.api(`PUT ${path}`, { form: [[part === 'tags' ? 'tags[]' : part, String(values[0])]], about: 'a form' });
    await desk.api(`PUT /v1/tickets/999/${part}`, { json: { [part]: values[0] } });
    await desk.api(`GET /v1/tickets/999/${part}`);
    await desk.api(`POST ${path.replace('tags', 'title')}`, { json: {}, about: 'a method it has not' });
  }
  await tags(desk);
  await moves(desk);
  await desk.api('GET /v1/tickets/1');
  await desk.settle();
}

async function tags(desk: Desk): Promise<void> {
  const path = '/v1/tickets/2/tags';
  for (const value of [['one'], ['one', 'TWO'], 'three,four', [], 'x'.repeat(101), null])
    await desk.api(`POST ${path}`, { json: { tags: value } });
  await desk.api(`POST ${path}`, {
    json: { tags: Array.from({ length: 50 }, (_none, tag) => `t${tag}`) },
    about: 'more than fifty in all',
  });
  await desk.api(`POST ${path}`, { form: [['tags', 'five, six']] });
  await desk.api(`POST ${path}`, { json: { tags: ['a/b', 'ü ß'] } });
  for (const tag of ['ONE', 'one', 'a%2Fb', '%C3%BC%20%C3%9F', 'nothing']) await desk.api(`DELETE ${path}/${tag}`);
  await desk.api(`DELETE ${path}/two`, { headers: { 'if-match': '"nothing"' } });
  await desk.api(`DELETE ${path}/two`, { form: [['x', 'y']], about: 'with a body' });
  await desk.api(`GET ${path}`);
}

async function moves(desk: Desk): Promise<void> {
  const { known } = desk;
  for (const name of ['Billing', encodeURIComponent(desk.firstRun.mailbox), known['billing'], 'nothing'])
    await desk.api(`POST /v1/tickets/2/change_mailbox/${name}`);
  await desk.api('POST /v1/tickets/999/change_mailbox/Billing');
  await desk.api('POST /v1/tickets/2/change_mailbox/Billing', { json: {}, about: 'with a body' });
  for (const state of ['closed', 'opened', 'closed']) await desk.api('PUT /v1/tickets/3/state', { json: { state } });
}
