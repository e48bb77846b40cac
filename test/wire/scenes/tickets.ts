import type { Desk } from '../desk.js';
import { TWIN } from '../product.js';
import { walk } from './customers.js';

export async function tickets(desk: Desk): Promise<void> {
  const { mailbox } = desk.firstRun;
  const start = (json: object, about?: string) => desk.api('POST /v1/tickets', { json, about });
  const jonas = 'jonas@client.example';
  await start({
    subject: 'Charged twice',
    body: 'Hello,\nmy card was <b>charged</b> twice. 💳',
    from: jonas,
    to: mailbox,
    tags: ['Billing', 'billing', 'card'],
  });
  await start({
    body: '<p>New <script>alert(1)</script><img src="https://x.example/p.png"> here</p>',
    from: { email: 'new@client.example', first_name: 'New', custom: { plan: 'free' } },
    to: 'billing@example.com',
    subject: 'HTML',
  });
  await start({
    body: 'We write to you.',
    from: 'admin@example.com',
    to: { email: 'written@client.example', first_name: 'Written' },
    subject: 'From us',
    send_copy_to_customer: true,
    assignee: 'admin@example.com',
    assigned_group: 'Refunds',
    priority: 'high',
    state: 'opened',
    mailbox: 'Billing',
  });
  await start({
    body: 'A note at first',
    from: desk.firstRun.owner.email,
    to: jonas,
    note: true,
    state: 'pending',
    tags: 'one, two',
  });
  await start({
    body: 'Old',
    from: jonas,
    to: mailbox,
    sent_at: '2024-02-03T04:05:06+02:00',
    state: 'closed',
    subject: 'Closed from the beginning',
  });
  await start({ body: 'Junk', from: 'spam@client.example', to: mailbox, state: 'spam' });
  await start({ body: 'To nobody we know', from: jonas, to: 'unknown@elsewhere.example' });
  await desk.api('POST /v1/tickets', {
    form: [
      ['body', 'By form'],
      ['from[email]', 'form@client.example'],
      ['from[first_name]', 'Fritz'],
      ['to', mailbox],
      ['tags[]', 'x'],
      ['tags[]', 'y'],
      ['priority', 'low'],
      ['note', 'false'],
    ],
    about: 'a form',
  });
  await start({ body: 'by a plain agent', from: TWIN.email, to: jonas, sent_at: '2024-02-03' }, 'for deletion');
  await refusals(desk);
  await idempotency(desk);
  await reads(desk);
  await lists(desk);
  await desk.settle();
}

async function refusals(desk: Desk): Promise<void> {
  const good = { body: 'x', from: 'jonas@client.example', to: desk.firstRun.mailbox };
  const bad: readonly object[] = [
    {},
    { ...good, body: '' },
    { ...good, body: 7 },
    { ...good, body: 'x'.repeat(500_001) },
    { ...good, from: 'x' },
    { ...good, from: [] },
    { ...good, from: { first_name: 'No address' } },
    { ...good, to: null },
    { ...good, subject: 'x'.repeat(501) },
    { ...good, state: 'lost' },
    { ...good, priority: 'none' },
    { ...good, tags: [''] },
    { ...good, tags: 'x'.repeat(101) },
    { ...good, tags: Array.from({ length: 51 }, (_none, tag) => `t${tag}`) },
    { ...good, assignee: 'nobody@example.com' },
    { ...good, assignee: 'x' },
    { ...good, assigned_group: 'nothing' },
    { ...good, mailbox: 'nothing' },
    { ...good, sent_at: 'yesterday' },
    { ...good, sent_at: '2199-01-01' },
    { ...good, note: true },
    { ...good, note: 'perhaps' },
    { ...good, from: 'admin@example.com', to: 'admin@example.com' },
    { ...good, from: { email: 'a@b.example', custom: 'x' }, to: { email: 'x' } },
  ];
  for (const json of bad) await desk.api('POST /v1/tickets', { json });
}

async function idempotency(desk: Desk): Promise<void> {
  const headers = { 'idempotency-key': 'key-1' };
  const json = { body: 'Once', from: 'jonas@client.example', to: desk.firstRun.mailbox };
  await desk.api('POST /v1/tickets', { json, headers });
  await desk.api('POST /v1/tickets', { json, headers, about: 'again' });
  await desk.api('POST /v1/tickets', { json: { ...json, body: 'Twice' }, headers, about: 'another body' });
  await desk.api('POST /v1/tickets', { json, headers, as: 'plain', about: 'somebody else’s key' });
  await desk.api('POST /v1/tickets', { json: {}, headers: { 'idempotency-key': 'key-2' }, about: 'refused' });
  await desk.api('POST /v1/tickets', { json, headers: { 'idempotency-key': 'key-2' }, about: 'mended' });
  await desk.api('POST /v1/tickets', { json, headers: { 'idempotency-key': 'with space' } });
  await desk.api('POST /v1/tickets', { json, headers: { 'idempotency-key': 'x'.repeat(256) } });
  await desk.api('PUT /v1/tickets/1/title', { json: { title: 'Charged twice' }, headers, about: 'not a POST' });
}

async function reads(desk: Desk): Promise<void> {
  for (let number = 1; number <= 9; number += 1) await desk.api(`GET /v1/tickets/${number}`);
  for (const number of ['0', '-1', '1.5', '01', 'x', '99999999999', '%31']) await desk.api(`GET /v1/tickets/${number}`);
  await desk.api('DELETE /v1/tickets/9', { headers: { 'if-match': '"nothing"' } });
  await desk.api('DELETE /v1/tickets/9');
  await desk.api('DELETE /v1/tickets/9', { about: 'again' });
  await desk.api('GET /v1/tickets/9', { about: 'deleted' });
  await desk.api('PUT /v1/tickets/9/state', { json: { state: 'opened' }, about: 'deleted' });
  await desk.api('POST /v1/tickets/9/messages', { json: { body: 'x' }, about: 'deleted' });
  await desk.api('POST /v1/tickets/9/restore');
  await desk.api('POST /v1/tickets/9/restore', { about: 'again' });
  await desk.api('DELETE /v1/tickets/9', { about: 'for good' });
}

async function lists(desk: Desk): Promise<void> {
  const filters = [
    '',
    'folder=unassigned',
    'folder=mine',
    'folder=open',
    'folder=closed',
    'folder=spam',
    'folder=deleted',
    'folder=x',
    'customer=jonas@client.example',
    `customer=${desk.known['customer']}`,
    'customer=nobody@x.example',
    'assignee=admin@example.com',
    'assignee=unassigned',
    'assignee=x',
    'assigned_group=Refunds',
    'assigned_group=none',
    'assigned_group=x',
    'state=unread',
    'state=closed,spam',
    'state=x',
    'mailbox=Billing',
    'mailbox=billing@example.com',
    'mailbox=x',
    'tag=BILLING',
    'tag=x',
    'priority=high',
    'priority=none',
    'priority=x',
    'created_since=2024-01-01',
    'created_before=2024-01-01',
    'created_since=x',
    'updated_since=2024-01-01T00:00:00%2B01:00',
    'updated_since=2024-01-01T00:00:00+01:00',
    'q=charg',
    'q=charged+twice',
    'q=zzz',
    'q=%22',
    'q=',
    'q=%25_',
    'sort=created_at',
    'sort=-updated_at',
    'sort=number',
    'sort=x',
    'per_page=2',
    'per_page=2&page=2',
    'per_page=2&page=3',
    'page=0',
    'page=1000000000',
    'page=1000000001',
    'per_page=51',
    'per_page=0',
    'cursor=x',
    'cursor=WyJhZnRlciJd',
    'state=unread&sort=-number&per_page=1',
    'unknown=1',
    'state[]=unread&state[]=closed',
    'folder[a]=1',
  ];
  for (const filter of filters) await desk.api(`GET /v1/tickets?${filter}`);
  await walk(desk, '/v1/tickets?per_page=4&sort=number&state=unread,opened,pending');
  await walk(desk, '/v1/tickets?per_page=5');
  await desk.api('GET /v1/tickets', {
    form: [
      ['state', 'closed'],
      ['per_page', '3'],
    ],
    about: 'parameters in the body',
  });
  await desk.api('GET /v1/tickets', { json: { state: 'closed' }, about: 'parameters in the body' });
  for (const query of ['', '?mailbox=Billing', '?mailbox=x', '?mailbox='])
    await desk.api(`GET /v1/tickets/count${query}`);
  await desk.api('GET /v1/folders');
  await desk.api('GET /v1/folders', { as: 'of admin' });
}
