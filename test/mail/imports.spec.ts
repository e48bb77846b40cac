// @module-tag long
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { csrfOf } from '../oauth/support/person.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapMailbox } from '#test/support/imap/imap-mailbox.js';
import type { ImapServer } from '#test/support/imap/server.js';
import { mailText } from '#test/support/mails.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
const owner = await oauth.person();
let worker = await desk.worker();
afterAll(() => oauth.stop());

let mailbox: ImapMailbox;
let server: ImapServer;
beforeEach(async () => {
  mailbox = await ImapMailbox.ofTest(desk);
  ({ server } = mailbox);
});

const WITHIN = { withinMs: 20_000 };
const page = (): string => `/settings/mailboxes/${mailbox.id}`;
const start = (body: object = {}) => desk.client().post(`${mailbox.path}/import`, body);
const progress = async () => (await desk.client().get(`${mailbox.path}/import`)).body.import;
const ended = () => eventually(async () => (await progress()).ended_at !== null && progress(), WITHIN);
const ticketsOf = async (email: string) =>
  (await desk.client().get(`/v1/tickets?customer=${email}&include=messages`)).body.tickets;
const submit = async (to: string, fields: Record<string, string> = {}) =>
  owner.post(`${page()}/${to}`, { csrf: csrfOf(await owner.get(page())), ...fields });

const arrivals = async (): Promise<Record<string, number>> => {
  const text = 'select state, count(*)::int from arrivals where mailbox_id = $1 group by 1';
  const { rows } = await desk.sql.query<{ state: string; count: number }>(text, [mailbox.id]);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};
const processed = (wanted: Record<string, number>) =>
  eventually(async () => JSON.stringify(await arrivals()) === JSON.stringify(wanted), WITHIN);
const countEvents = async () => (await desk.sql.query('select from events')).rowCount!;

/** Adds `count` emails, each from a new sender and with its number in the text. */
function addMails(count: number, from = 'old'): void {
  for (let number = 1; number <= count; number++)
    server.inbox.add(mailText({ From: `${from}${number}@${mailbox.id}.test` }, `Number ${number}.`), {
      date: new Date('2020-03-05T10:00:00Z'),
    });
}
const subjectsOnce = async (count: number) => {
  const text = `select s.plain_text_body as body from messages s join tickets t on t.id = s.ticket_id where t.mailbox_id = $1`;
  const { rows } = await desk.sql.query<{ body: string }>(text, [mailbox.id]);
  expect(rows).toHaveLength(count);
  expect(new Set(rows.map(({ body }) => body)).size).toBe(count);
};

describe('an import of older mail', () => {
  it('adds closed tickets with their times and threads, without events, and skips mail that was fetched already', async () => {
    const [writer, often, live] = [newEmail(), newEmail(), newEmail()];
    const first = { 'Message-ID': `<first@${mailbox.id}>`, From: writer };
    server.inbox.add(mailText(first, 'First.'), { date: new Date('2020-03-05T10:00:00Z') });
    server.inbox.add(mailText({ From: writer, 'In-Reply-To': first['Message-ID'] }, 'Second.'), {
      date: new Date('2020-03-06T10:00:00Z'),
    });
    for (let number = 0; number < 25; number++) server.inbox.add(mailText({ From: often }, `Number ${number}.`));
    await mailbox.connect();
    server.inbox.add(mailText({ From: live }));
    await mailbox.ticketOf(live);
    const before = await countEvents();
    expect((await start()).body.import).toMatchObject({ state: 'waiting', total: null, done: 0, since: null });
    expect(await ended()).toMatchObject({ state: 'done', total: 28, done: 28, last_error: null });
    await processed({ processed: 28 });

    const [ticket, ...others] = await ticketsOf(writer);
    expect(others).toEqual([]);
    expect(ticket).toMatchObject({ state: 'closed', message_count: 2 });
    expect(ticket.messages.map(({ created_at: at }: { created_at: string }) => at)).toEqual([
      '2020-03-05T10:00:00.000Z',
      '2020-03-06T10:00:00.000Z',
    ]);
    expect(await countEvents()).toBe(before);
    expect((await mailbox.ticketOf(live)).state).toBe('unread');
    // Old tickets of a sender do not delay new mail from that sender.
    server.inbox.add(mailText({ From: often, Subject: 'Now' }));
    await processed({ processed: 29 });
    expect(await countEvents()).toBe(before + 1);
  });

  it('continues after its worker was killed, with each email once', async () => {
    addMails(80);
    await mailbox.connect();
    await start();
    await eventually(async () => (await progress()).done >= 20, WITHIN);
    await worker.kill9();
    const { done } = await progress();
    // The lease of the dead worker expires late, so this expires it now.
    await desk.sql.query("update imap_accounts set leased_until = now() - interval '1 second'");
    await desk.sql.query("update arrivals set due_at = now() where state = 'waiting'");
    worker = await desk.worker();
    await eventually(async () => (await progress()).done > done, WITHIN);
    await ended();
    await processed({ processed: 80 });

    expect(done).toBeLessThan(80);
    await subjectsOnce(80);
  });

  it('does not delay new mail', async () => {
    const live = newEmail();
    addMails(300);
    await mailbox.connect();
    await start();
    await eventually(async () => (await progress()).done > 0, WITHIN);
    server.inbox.add(mailText({ From: live }));
    await mailbox.ticketOf(live);

    expect(await progress()).toMatchObject({ state: 'running', total: 300 });
    await submit('imap/import/stop');
  });

  it('fails on its own connection, and starts again after a UIDVALIDITY change', async () => {
    const live = newEmail();
    addMails(30);
    await mailbox.connect();
    server.misdeed = (command, socket) => command === 'UID SEARCH' && socket.destroy() !== undefined;
    await start();
    await eventually(async () => (await progress()).state === 'failing', WITHIN);
    expect((await owner.get(page())).html).toContain('Import interrupted. The connection was lost.');
    server.misdeed = () => false;
    await eventually(async () => (await progress()).done > 0, WITHIN);
    server.inbox.renumber(700);
    server.disconnect();
    server.inbox.add(mailText({ From: live }));
    await mailbox.ticketOf(live);
    await ended();

    await eventually(async () => (await arrivals())['processed'] === 31, WITHIN);
    await subjectsOnce(31);
  });

  it('imports mail since a day, and can be stopped and started again without duplicates', async () => {
    const recent = newEmail();
    addMails(5);
    server.inbox.add(mailText({ From: recent }), { date: new Date('2024-02-03T08:00:00Z') });
    await mailbox.connect();
    expect((await submit('imap/import', { since: 'soon' })).html).toContain('since');
    expect((await submit('imap/import', { since: '2024-02-03' })).status).toBe(303);
    expect((await start()).body.error).toBe('import_is_running');
    expect(await ended()).toMatchObject({ state: 'done', total: 1 });
    expect((await owner.get(page())).html).toContain('1 of 1 older emails imported.');
    await processed({ processed: 1 });
    const { code, json } = await runCli(['mailboxes', 'import', mailbox.id, '--json'], desk.environment);

    expect([code, json]).toMatchObject([0, { state: 'done', total: 6, done: 6 }]);
    await processed({ duplicate: 1, processed: 6 });
    expect(await ticketsOf(recent)).toHaveLength(1);
  });

  it('needs a server, waits while fetching is paused, and returns 404 before it starts', async () => {
    expect((await start()).body.error).toBe('imap_not_found');
    await mailbox.save();
    await desk.client().post(`${mailbox.path}/pause`);
    expect((await desk.client().get(`${mailbox.path}/import`)).body.error).toBe('import_not_found');
    expect((await desk.client().delete(`${mailbox.path}/import`)).body.error).toBe('import_not_found');
    await start();
    expect((await owner.get(page())).html).toContain('Older mail is imported once fetching is resumed.');
  });
});
