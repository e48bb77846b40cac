// @module-tag long
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

/** `ZENDESK_TICKETS=10000` takes several minutes. */
const TICKETS = Number(process.env['ZENDESK_TICKETS'] ?? 150);
const CUSTOMERS = Math.ceil(TICKETS / 3);
const WITHOUT_EMAIL = 900_001;
const AGENT = 900_002;
const LONG_MS = 30 * 60_000;

const desk = await startDesk();
const folder = mkdtempSync(path.join(tmpdir(), 'zendesk-'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await desk.stop();
});

const time = (hours: number) => new Date(Date.UTC(2020, 0, 1) + hours * 3_600_000).toISOString().replace('.000Z', 'Z');

const users = [
  ...Array.from({ length: CUSTOMERS }, (_, n) => ({
    id: n + 1,
    email: `c${n + 1}@client.example`,
    name: `Customer ${n + 1}`,
  })),
  { id: WITHOUT_EMAIL, email: null, name: 'Caller' },
].map((user) => ({ ...user, role: 'end-user', created_at: time(0) }));
const agent = { id: AGENT, email: desk.account.owner.email, name: 'Maya', role: 'agent', created_at: time(0) };

/** With 2 to 4 comments, of which the second is by an agent; some within one second. */
function ticketOf(id: number) {
  const requester = (id % CUSTOMERS) + 1;
  const comments = Array.from({ length: 2 + (id % 3) }, (_, place) => ({
    id: id * 10 + place,
    author_id: place % 2 === 1 ? AGENT : requester,
    public: place !== 3,
    body: `Comment ${place} of ticket ${id}`,
    html_body: `<p>Comment ${place} of ticket ${id}</p>`,
    created_at: time(id + Math.floor(place / 2)),
  }));
  const status = ['solved', 'open', 'closed'][id % 3];
  return { id, subject: `Ticket ${id}`, status, priority: 'normal', tags: ['old'], requester_id: requester, comments };
}

const tickets = [
  ...Array.from({ length: TICKETS }, (_, n) => ticketOf(n + 1)),
  { ...ticketOf(TICKETS + 1), requester_id: WITHOUT_EMAIL },
];
const COMMENTS = tickets.slice(0, TICKETS).reduce((sum, { comments }) => sum + comments.length, 0);

const fileOf = (name: string, records: readonly object[]) => {
  const file = path.join(folder, name);
  writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
  return file;
};
const files = ['--users', fileOf('users', [...users, agent]), '--tickets', fileOf('tickets', tickets)];

function importing(...more: string[]) {
  const env = { ...process.env, DESKWIRE_URL: desk.base, DESKWIRE_TOKEN: desk.account.owner.token };
  const program: ChildProcess = spawn(process.execPath, ['docs/recipes/import-zendesk.mjs', ...files, ...more], {
    env,
  });
  let output = '';
  for (const stream of [program.stdout!, program.stderr!])
    stream.on('data', (part: Buffer) => (output += part.toString()));
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  return { program, ended, output: () => output };
}

const count = async (table: string, condition = 'true') =>
  (
    await desk.sql.query<{ n: number }>(
      `select count(*)::int as n from ${table} where account_id = $1 and ${condition}`,
      [desk.account.id],
    )
  ).rows[0]!.n;

describe('the import of an export of Zendesk', () => {
  it('counts what it would import, and names what it would refuse', async () => {
    const { ended, output } = importing('--dry-run');

    expect(await ended).toBe(0);
    expect(output()).toContain(`tickets: ${TICKETS}, messages: ${COMMENTS}, refused: 1`);
    expect(output()).toContain('the requester has no email');
    expect(await count('tickets')).toBe(0);
  });

  it('brings everything along once although it is killed twice', { timeout: LONG_MS }, async () => {
    const receiver = await desk.receiver();
    for (const event of ['ticket_started', 'agent_replied', 'customer_added'])
      await desk.client().post('/v1/webhooks', { event, url: receiver.url });
    for (const part of [0.3, 0.6]) {
      const { program, ended } = importing();
      await eventually(async () => (await count('messages')) > COMMENTS * part, { withinMs: LONG_MS });
      program.kill('SIGKILL');
      await ended;
    }
    const last = importing('--at-once', '8');
    expect(await last.ended).toBe(0);

    const found = [await count('tickets'), await count('messages'), await count('customers')];
    expect(found).toEqual([TICKETS, COMMENTS, CUSTOMERS]);
    expect(await count('(select distinct account_id, ticket_id, body from messages) m')).toBe(COMMENTS);
    expect(
      await count('tickets t', 'message_count <> (select count(*) from messages m where m.ticket_id = t.id)'),
    ).toBe(0);
    expect(await count('outgoing_mails')).toBe(0);
    expect(await count('events', 'not test')).toBe(0);
    const [ticket] = (await desk.client().get('/v1/tickets?external_id=zendesk-2&include=messages')).body.tickets;
    expect(ticket.messages.map(({ plain_text_body: text }: { plain_text_body: string }) => text)).toEqual(
      [0, 1, 2, 3].map((place) => `Comment ${place} of ticket 2`),
    );
  });
});
