// Imports an export of Zendesk. See import-zendesk.md. It can be stopped and started again at any time.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values: options } = parseArgs({
  options: { users: text, tickets: text, 'at-once': { ...text, default: '4' }, 'dry-run': { type: 'boolean' } },
});
const { DESKWIRE_URL = 'http://localhost:3000', DESKWIRE_TOKEN } = process.env;
if (!options.users || !options.tickets) throw new Error('Both --users and --tickets are needed');
const DONE = 'closed';
const STATES = { new: 'unread', open: 'opened', pending: 'pending', hold: 'pending', solved: DONE, closed: DONE };
const PRIORITIES = { low: 'low', normal: 'medium', high: 'high', urgent: 'urgent' };

const [users, agents] = [new Map(), new Set()];
const counts = { users: 0, tickets: 0, messages: 0, refused: 0 };
let owner, mailbox;
class Refused extends Error {}

/** Waits as long as the server asks, and repeats what failed on the way: every call may be made twice. */
async function call(method, path, body, key) {
  const headers = { authorization: `Bearer ${DESKWIRE_TOKEN}`, prefer: 'handling=strict' };
  const sent = body && JSON.stringify(body);
  if (sent) Object.assign(headers, { 'content-type': 'application/json' }, key && { 'idempotency-key': key });
  for (let failures = 0; ; failures += 1) {
    const response = await fetch(new URL(path, DESKWIRE_URL), { method, headers, body: sent }).catch((error) => error);
    const answer = response.status ? await response.json().catch(() => undefined) : undefined;
    if (response.ok && answer) return answer;
    const { status = 500 } = response;
    const isTransient = status < 400 || status === 429 || status >= 500 || answer?.error === 'request_in_progress';
    if (!isTransient) throw new Refused(answer?.detail ?? `status ${status}`);
    if (failures === 10) throw new Error(answer?.detail ?? String(response));
    await pause(1000 * Number(response.headers?.get('retry-after') ?? 2 ** Math.min(failures, 5)));
  }
}

const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Agents who are not agents here write as the owner of the token, with their name above the text. */
function messageOf(comment, notBefore) {
  const { email, name = 'An agent', isAgent } = users.get(comment.author_id) ?? {};
  if (!isAgent && !email) throw new Refused('the author of a comment has no email');
  const isKnown = !isAgent || agents.has(email?.toLowerCase());
  const written = comment.html_body || escaped(comment.body || '(empty)');
  const body = isKnown ? written : `<p>${escaped(name)} wrote in Zendesk:</p>${written}`;
  if (body.length > 500_000) throw new Refused('a comment has more than 500,000 characters');
  const created_at = new Date(Math.max(Date.parse(comment.created_at), notBefore)).toISOString();
  return { author: isKnown ? email : owner, body, note: isAgent && comment.public === false, created_at };
}

function ticketOf(ticket, first) {
  const { id, subject, status, priority, tags = [], requester_id: requester, metric_set: times } = ticket;
  const customer = users.get(requester)?.email;
  const state = STATES[status];
  if (!first || !state)
    throw new Refused(first ? `the status of the ticket is ${status}` : 'the ticket has no comment');
  if (!customer) throw new Refused('the requester has no email');
  const { author, ...message } = first;
  const byAgent = author === owner || agents.has(author.toLowerCase());
  const people = byAgent ? { from: author, to: customer, mailbox } : { from: customer, to: mailbox };
  const fields = { subject: subject?.slice(0, 500), state, priority: PRIORITIES[priority], tags: tags.slice(0, 50) };
  const closed = state === DONE && times?.solved_at ? { closed_at: times.solved_at } : {};
  return { import: true, external_id: `zendesk-${id}`, ...people, ...fields, ...closed, ...message };
}

async function importTicket(line) {
  const ticket = JSON.parse(line);
  const messages = [];
  // Comments of one second keep their order, because their messages are a millisecond apart.
  for (const comment of ticket.comments ?? [])
    messages.push(messageOf(comment, Date.parse(messages.at(-1)?.created_at ?? 0) + 1));
  const wanted = ticketOf(ticket, messages[0]);
  const { number, message_count: known } = options['dry-run'] ? {} : (await call('POST', '/v1/tickets', wanted)).ticket;
  for (let place = known ?? messages.length; place < messages.length; place += 1) {
    const message = { import: true, ...messages[place] };
    await call('POST', `/v1/tickets/${number}/messages`, message, `zendesk-${ticket.id}-${ticket.comments[place].id}`);
  }
  counts.tickets += 1;
  counts.messages += messages.length;
}

async function importUser(line) {
  const { id, email, name, role, phone, created_at } = JSON.parse(line);
  const isAgent = role === 'agent' || role === 'admin';
  users.set(id, { email, name, isAgent });
  if (isAgent || !email) return;
  const customer = {
    email,
    external_id: `zendesk-${id}`,
    name: name?.slice(0, 200),
    phone_number: phone?.slice(0, 100),
  };
  if (!options['dry-run']) await call('POST', '/v1/customers', { import: true, created_at, ...customer });
  counts.users += 1;
}

/** Reports each refused line, and goes on with the others. */
async function forEachLine(file, work) {
  const lines = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();
  let read = 0;
  const worker = async () => {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const line = (read += 1);
      await work(next.value).catch((error) => {
        if (!(error instanceof Refused || error instanceof SyntaxError)) throw error;
        console.error(`${file}:${line}: ${error.message}`, { refused: (counts.refused += 1) });
      });
      if (line % 500 === 0) console.log(`${file}: line ${line}`, counts);
    }
  };
  await Promise.all(Array.from({ length: Number(options['at-once']) }, worker));
}

if (!options['dry-run']) {
  owner = (await call('GET', '/v1/me')).agent.email;
  for (let page = '/v1/agents?per_page=50'; page;) {
    const { agents: some, meta } = await call('GET', page);
    for (const { email } of some) agents.add(email.toLowerCase());
    page = meta.pagination.next_page;
  }
  mailbox = (await call('GET', '/v1/mailboxes')).mailboxes[0].email;
}
await forEachLine(options.users, importUser);
await forEachLine(options.tickets, importTicket);
console.log(options['dry-run'] ? 'Would import' : 'Imported', counts);
