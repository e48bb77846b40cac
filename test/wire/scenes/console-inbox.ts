import type { Browser } from '../browser.js';
import type { Desk } from '../desk.js';

const LISTS = [
  '',
  '?folder=mine',
  '?folder=open',
  '?folder=closed',
  '?folder=spam',
  '?folder=deleted',
  '?folder=x',
  '?mailbox=Billing',
  '?tag=billing',
  '?tag=x',
  '?priority=high',
  '?assignee=admin@example.com',
  '?q=charged',
  '?q=%3Cscript%3E',
  '?q=zzz&folder=open',
  '?cursor=x',
  '?folder=open&mailbox=x',
  '?folder[a]=b',
];

/** Tickets in the console, read and changed by the owner. */
export async function inbox(desk: Desk): Promise<void> {
  const browser = desk.browser('owner');
  await browser.signIn(desk.firstRun.owner.email, desk.firstRun.owner.password);
  for (const query of LISTS) await browser.get(`/inbox${query}`);
  await browser.get('/inbox', { headers: { 'hx-request': 'true' }, about: 'a part' });
  await browser.ask('HEAD /inbox');
  for (const path of [
    '1',
    '2',
    '3',
    '5',
    '9',
    '999',
    'x',
    '1?folder=open&tag=billing',
    '1?q=charged',
    '1?cursor=x',
    '1?page=2',
  ])
    await browser.get(`/tickets/${path}`);
  const { known } = desk;
  for (const path of [known['message'], `${known['message']}?images=1`, known['billing'], 'nothing'])
    await browser.get(`/messages/${path}`);
  for (const id of [known['attachment'], 'nothing']) await browser.get(`/attachments/${id}`);
  await newTickets(browser);
  await deeds(browser);
  await messages(desk, browser);
  await bulk(browser);
  await live(desk, browser);
  await desk.settle();
  for (const path of ['/inbox', '/inbox?folder=deleted', '/tickets/1', '/tickets/2', '/tickets/10'])
    await browser.get(path);
}

const field = (name: string, value: string) => ({ name, value });

async function newTickets(browser: Browser): Promise<void> {
  for (const query of ['', '?to=jonas@client.example', '?to=%22%3E%3Cb%3E']) await browser.get(`/tickets/new${query}`);
  await browser.prove('/tickets', { to: 'x', body: '' });
  await browser.post('/tickets', {
    to: 'a@b.example',
    body: 'x',
    mailbox: 'nothing',
    assignee: 'x',
    priority: 'x',
    subject: 's'.repeat(501),
  });
  await browser.post('/tickets', {
    to: 'console@client.example',
    first_name: 'Con',
    last_name: 'Sole',
    subject: 'By console',
    body: 'Line 1\r\nLine 2',
    priority: 'low',
    note: '',
  });
  await browser.get('/inbox', { about: 'with a notice' });
  const file = { name: 'files', file: 'console.txt', type: 'text/plain', value: 'A file.' };
  await browser.ask('POST /tickets', {
    parts: [field('csrf', browser.csrf), field('to', 'console@client.example'), field('body', 'With a file'), file],
    shown: 'with a file',
  });
  await browser.ask('POST /tickets', {
    parts: [field('to', 'console@client.example'), field('body', 'x'), file],
    shown: 'with a file and no proof',
  });
  await browser.ask('POST /tickets', {
    parts: [field('csrf', browser.csrf), field('to', ''), field('body', 'Kept'), file],
    shown: 'with a file, to nobody',
  });
}

async function deeds(browser: Browser): Promise<void> {
  const back = 'folder=open&tag=billing';
  const at = '/tickets/2';
  await browser.prove(`${at}/state`, { state: 'opened', back });
  await browser.post(`${at}/state`, { state: 'lost' });
  await browser.prove(`${at}/assign`, { assignee: 'admin@example.com', assigned_group: 'Refunds', back });
  await browser.post(`${at}/assign`, { assignee: 'unassigned', assigned_group: 'none' });
  await browser.post(`${at}/assign`, { assignee: 'nobody@example.com', assigned_group: 'none' });
  await browser.post(`${at}/assign`, {});
  await browser.prove(`${at}/priority`, { priority: 'urgent' });
  await browser.post(`${at}/priority`, { priority: 'x' });
  await browser.post(`${at}/priority`, { priority: 'none' });
  await browser.prove(`${at}/tag`, { tags: 'vip, late' });
  await browser.post(`${at}/tag`, { tags: '' });
  await browser.prove(`${at}/untag`, { tags: 'late' });
  await browser.post(`${at}/untag`, { tags: 'nothing' });
  await browser.prove(`${at}/move`, { mailbox: 'Support' });
  await browser.post(`${at}/move`, { mailbox: 'nothing' });
  await browser.prove(`${at}/title`, { title: 'Retitled <b>' });
  await browser.post(`${at}/title`, { title: '' });
  await browser.post(`${at}/title`, { title: 'x'.repeat(501) });
  await browser.prove(`${at}/delete`, { back });
  await browser.get('/inbox', { about: 'with a notice' });
  await browser.get(at, { about: 'deleted' });
  await browser.post(`${at}/state`, { state: 'closed' }, { about: 'deleted' });
  await browser.prove(`${at}/restore`);
  await browser.get(at);
  for (const deed of ['state', 'assign', 'priority', 'tag', 'untag', 'move', 'title', 'delete', 'restore', 'messages'])
    await browser.post(`/tickets/999/${deed}`, {
      state: 'opened',
      assignee: 'unassigned',
      assigned_group: 'none',
      priority: 'low',
      tags: 'x',
      mailbox: 'Billing',
      body: 'x',
    });
  await browser.get(`${at}/state`, { about: 'a GET' });
  await browser.ask(`POST ${at}/priority`, {
    form: [['priority', 'low']],
    headers: { 'x-csrf-token': browser.csrf },
    shown: 'proof by header',
  });
}

async function messages(desk: Desk, browser: Browser): Promise<void> {
  const at = '/tickets/1/messages';
  await browser.prove(at, { body: 'Reply by console', kind: 'reply' });
  await browser.get('/tickets/1', { about: 'with a notice' });
  await browser.post(at, { body: '' });
  await browser.post(at, { body: 'A note\r\nby console', kind: 'note', back: 'folder=closed', after: 'back' });
  await browser.post(at, { body: 'And close', close: 'yes', after: 'next', next: '2' });
  await browser.post(at, { body: 'No next', after: 'next' });
  const parts = [
    ['csrf', browser.csrf],
    ['body', 'With files'],
    ['kind', 'reply'],
  ].map(([name = '', value = '']) => ({ name, value }));
  const file = { name: 'files', file: 'reply <b>.txt', type: 'text/plain', value: 'Reply.' };
  await browser.ask(`POST ${at}`, { parts: [...parts, file, { name: 'after', value: 'back' }], shown: 'with a file' });
  await browser.ask(`POST ${at}`, {
    parts: [...parts, { ...file, file: '', value: '' }],
    shown: 'with no file chosen',
  });
  await browser.ask(`POST ${at}`, {
    parts: [...parts, ...Array.from({ length: 26 }, () => file)],
    shown: 'with too many files',
  });
  await browser.get('/tickets/1');
  await desk.settle();
}

async function bulk(browser: Browser): Promise<void> {
  const ticket = ['4', '6', '999', 'x'];
  await browser.prove('/tickets/bulk', { do: 'tag', tags: 'bulk', ticket: ['4', '6'] });
  await browser.get('/inbox', { about: 'with a notice' });
  for (const fields of [
    { do: 'close' },
    { do: 'assign', assignee: 'admin@example.com' },
    { do: 'move', mailbox: 'Billing' },
    { do: 'delete' },
    { do: 'restore' },
  ])
    await browser.post('/tickets/bulk', { ...fields, ticket, back: 'folder=open' });
  for (const fields of [
    { do: 'x', ticket },
    { do: 'close' },
    { do: 'tag', ticket },
    { do: 'assign', assignee: 'x', ticket },
    { do: 'move', mailbox: 'nothing', ticket },
  ])
    await browser.post('/tickets/bulk', fields);
  await browser.get('/inbox');
}

/** A stream is read until it tells of a change. */
async function live(desk: Desk, browser: Browser): Promise<void> {
  const stream = { headers: { accept: 'text/event-stream' } };
  await browser.get('/live', { ...stream, until: 'retry: 2000\n\n' });
  await browser.get('/live?watch=nothing', { ...stream, until: 'retry: 2000\n\n' });
  const change = (): void =>
    void setTimeout(() => void desk.send('PUT /v1/tickets/4/title', { as: 'owner', json: { title: 'Live' } }), 1500);
  await browser.get('/live?watch=tickets', { ...stream, until: 'event: changed\ndata: tickets\n\n', onOpen: change });
  await browser.prove('/live/replying/1');
  await browser.post('/live/replying/x');
  await browser.post('/live/replying/999');
  await browser.ask('POST /live/replying/1', { headers: { 'x-csrf-token': browser.csrf }, shown: 'proof by header' });
}
