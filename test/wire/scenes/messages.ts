import type { Desk } from '../desk.js';
import { walk } from './customers.js';

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('latin1');

export async function messages(desk: Desk): Promise<void> {
  const { known } = desk;
  const write = (json: object, about?: string) => desk.api('POST /v1/tickets/1/messages', { json, about });
  const written = await write({ body: 'Help is on its way.' });
  known['message'] = written.json.message.id;
  await write({ body: 'For us alone', note: true });
  await write({ body: 'Thanks!', author: 'jonas@client.example' });
  await write({
    body: '<p>HTML <a href="javascript:x()">bad</a> <a href="https://ok.example/?a=1&amp;b=2">good</a></p><blockquote>quoted</blockquote>',
    author: 'admin@example.com',
  });
  await write({ body: 'From somebody new', author: 'third@client.example' });
  await write({ body: 'Old', author: 'jonas@client.example', sent_at: '2024-05-06T07:08:09.123Z' });
  await write({ body: 'A note of a customer', author: 'jonas@client.example', note: true });
  for (const json of [
    {},
    { body: '' },
    { body: ['x'] },
    { body: 'x', author: 'x' },
    { body: 'x', author: known['refunds'] },
    { body: 'x', note: 'x' },
    { body: 'x', sent_at: 'x' },
    { body: 'x', sent_at: '2199-01-01' },
    { body: 'x\u0000y' },
  ])
    await write(json);
  await desk.api('POST /v1/tickets/1/messages', {
    form: [
      ['body', 'By form'],
      ['note', '1'],
    ],
  });
  const headers = { 'idempotency-key': 'message-1' };
  await desk.api('POST /v1/tickets/1/messages', { json: { body: 'Once' }, headers });
  await desk.api('POST /v1/tickets/1/messages', { json: { body: 'Once' }, headers, about: 'again' });
  await desk.api('POST /v1/tickets/1/messages', { json: { body: 'x' }, headers: { 'if-match': '"nothing"' } });
  await desk.api('POST /v1/tickets/999/messages', { json: { body: 'x' } });
  for (const query of ['', '?per_page=3', '?per_page=3&page=2', '?page=9', '?cursor=x'])
    await desk.api(`GET /v1/tickets/1/messages${query}`);
  await walk(desk, '/v1/tickets/1/messages?per_page=3');
  await desk.api(`GET /v1/messages/${known['message']}`);
  await desk.api(`GET /v1/messages/${known['billing']}`);
  await desk.api('GET /v1/messages/nothing');
  await attachments(desk);
  await downloads(desk);
  await desk.settle();
}

const file = (name: string, type: string, value: string) => ({ name: 'files', file: name, type, value });

async function attachments(desk: Desk): Promise<void> {
  const path = `/v1/messages/${desk.known['message']}/attachments`;
  const made = await desk.api(`POST ${path}`, {
    parts: [file('notes.txt', 'text/plain', 'Some words.\n'), file('pic ü.png', 'image/png', PICTURE)],
  });
  desk.known['attachment'] = made.json.attachments[0].id;
  desk.known['picture'] = made.json.attachments[1].id;
  await desk.api(`POST ${path}`, { parts: [{ name: 'comment', value: 'no file' }], about: 'no file' });
  await desk.api(`POST ${path}`, {
    parts: [file('../../etc/passwd', 'text/html', '<script>alert(1)</script>'), { name: 'x', value: 'y' }],
  });
  await desk.api(`POST ${path}`, { parts: [file('empty.bin', 'application/octet-stream', '')] });
  await desk.api(`POST ${path}`, { parts: [file('', 'text/plain', 'no name')] });
  await desk.api(`POST ${path}`, {
    parts: Array.from({ length: 26 }, (_none, index) => file(`${index}.txt`, 'text/plain', 'x')),
    about: 'too many',
  });
  await desk.api(`POST ${path}`, { json: { files: [] } });
  await desk.api(`POST ${path}`, { raw: 'nonsense', headers: { 'content-type': 'multipart/form-data; boundary=x' } });
  await desk.api(`POST ${path}`, { raw: 'nonsense', headers: { 'content-type': 'multipart/form-data' } });
  const headers = { 'idempotency-key': 'files-1' };
  await desk.api(`POST ${path}`, { parts: [file('once.txt', 'text/plain', 'x')], headers });
  await desk.api(`POST ${path}`, { parts: [file('once.txt', 'text/plain', 'x')], headers, about: 'again' });
  await desk.api(`POST /v1/messages/${desk.known['billing']}/attachments`, {
    parts: [file('a.txt', 'text/plain', 'x')],
    about: 'no message',
  });
  await desk.api('POST /v1/customers', {
    parts: [{ name: 'email', value: 'parts@client.example' }],
    about: 'in parts where none are read',
  });
  for (const query of [
    `?message=${desk.known['message']}`,
    `?message=${desk.known['message']}&per_page=1`,
    '',
    '?message=x',
    `?message=${desk.known['billing']}`,
  ])
    await desk.api(`GET /v1/attachments${query}`);
  await desk.api(`GET /v1/attachments/${desk.known['attachment']}`);
  await desk.api('GET /v1/attachments/nothing');
  await desk.api(`GET /v1/messages/${desk.known['message']}`, { about: 'with its files' });
}

async function downloads(desk: Desk): Promise<void> {
  for (const name of ['attachment', 'picture']) {
    const { json } = await desk.send(`GET /v1/attachments/${desk.known[name]}`, { as: 'owner' });
    const { pathname, search } = new URL(json.attachment.url);
    await desk.ask(`GET ${pathname}${search}`);
    await desk.ask(`HEAD ${pathname}${search}`);
    await desk.ask(`GET ${pathname}${search}`, {
      headers: { origin: 'https://elsewhere.example', range: 'bytes=0-3' },
    });
    await desk.ask(`GET ${pathname}${search}x`, { about: 'a pass that was changed' });
    await desk.ask(`GET ${pathname}`);
    await desk.ask(`GET ${pathname}`, { headers: { accept: 'text/html' } });
    await desk.ask(`GET /downloads/${desk.known['billing']}${search}`);
    await desk.ask(`GET /downloads/nothing${search}`);
    await desk.ask(`POST ${pathname}${search}`);
  }
}
