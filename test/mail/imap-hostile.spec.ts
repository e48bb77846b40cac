import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox, newEmail } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
import type { Misdeed } from '../support/imap/conversation.js';
import { ImapServer } from '../support/imap/server.js';
import { mailText } from '../support/mails.js';

let desk: Desk;
let server: ImapServer;
let mailbox: { readonly id: string; readonly name: string };
beforeAll(async () => {
  desk = await startDesk();
  await desk.worker();
});
afterAll(() => desk.stop());
beforeEach(async () => {
  server = await ImapServer.start();
  mailbox = await addMailbox(desk);
});
afterEach(async () => {
  await desk.client().delete(path());
  await server.stop();
});

const path = (): string => `/v1/mailboxes/${mailbox.id}/imap`;
const imap = async () => (await desk.client().get(path())).body.imap;
const save = (changes: object = {}) => desk.client().put(path(), { ...server.settings, ...changes });
const inState = (state: string) =>
  eventually(
    async () => {
      const found = await imap();
      return found.state === state && found;
    },
    { withinMs: 25_000 },
  );
const ticketOf = (email: string) =>
  eventually(async () => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets[0], {
    withinMs: 25_000,
  });

/** Sends these texts instead of the response to one command. */
const says =
  (at: string, ...texts: string[]): Misdeed =>
  (command: string, socket: Socket) => {
    if (command !== at) return false;
    for (const text of texts) socket.write(text);
    return true;
  };
const leavesAfter =
  (misdeed: Misdeed): Misdeed =>
  (command, socket) =>
    misdeed(command, socket) && (socket.end(), true);
/** Writes until the client closes the connection. */
const floods =
  (at: string, beginning: string): Misdeed =>
  (command, socket) => {
    if (command !== at) return false;
    socket.write(beginning);
    const more = Buffer.alloc(65_536, 'x');
    const write = (): void => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on('drain', write);
    write();
    return true;
  };

describe('a hostile IMAP server', () => {
  it.each<[string, Misdeed]>([
    ['that speaks another protocol', says('GREETING', 'SSH-2.0-OpenSSH_9.2\r\n', '\0\u0001{9}\r\n')],
    ['that hangs up at once', (_, socket) => (socket.destroy(), true)],
    [
      'that answers garbage, and leaves',
      leavesAfter(says('EXAMINE', '* ((((( )\u0000{\r\n', '* 1 FETCH (UID\r\n', 'A OK\r\n')),
    ],
    ['that has a line without an end', floods('UID SEARCH', '* SEARCH ')],
    ['that announces 4 GB', floods('UID FETCH', '* 1 FETCH (UID 1 BODY[]<0> {4294967296}\r\n')],
  ])('fails only its own mailbox: a server %s', async (_name, misdeed) => {
    server.inbox.add(mailText({ From: newEmail() }));
    server.misdeed = misdeed;
    await save();
    const failing = await inState('failing');
    const [other, theirs, from] = [await ImapServer.start(), await addMailbox(desk), newEmail()];
    await desk.client().put(`/v1/mailboxes/${theirs.id}/imap`, other.settings);
    await eventually(() => other.commands.some((command) => command.startsWith('IDLE')), { withinMs: 25_000 });
    other.inbox.add(mailText({ From: from }));

    expect(failing.last_error).toMatch(/^(The|What) .+\.$/);
    expect(await ticketOf(from)).toMatchObject({ mailbox: theirs.name });
    await desk.client().delete(`/v1/mailboxes/${theirs.id}/imap`);
    await other.stop();
  });

  it('appears with its own words when it rejects the sign-in', async () => {
    await save({ password: 'wrong' });

    expect((await inState('failing')).last_error).toBe('The server refused the sign-in: Invalid credentials');
  });

  it('costs no more than a connection when it does not answer', async () => {
    server.misdeed = () => true;
    await save();
    await eventually(() => server.connections === 1, { withinMs: 25_000 });
    await desk.client().delete(path());
    await eventually(() => server.connections === 0, { withinMs: 25_000 });

    expect(server.commands).toEqual([]);
  });

  it('gets no connection if it is in the operator’s network', async () => {
    await save({ host: '10.1.2.3' });

    expect((await inState('failing')).last_error).toBe('10.1.2.3: the address was refused: it is a private address.');
  });

  it('delivers a mail with NUL and an empty mail', async () => {
    const from = newEmail();
    await save();
    await inState('connected');
    server.inbox.add('');
    server.inbox.add(mailText({ From: from, Subject: 'Nu\0ll' }, 'a\0b'));

    expect(await ticketOf(from)).toMatchObject({ title: 'Null' });
    const { rows } = await desk.sql.query('select size from arrivals where mailbox_id = $1 order by id', [mailbox.id]);
    expect(rows).toHaveLength(2);
  });

  it('gets a placeholder for a mail that is too large, without fetching it', async () => {
    const from = newEmail();
    await save();
    await inState('connected');
    server.inbox.add(mailText({ From: from, Subject: 'Large' }, 'x'.repeat(70_000)), { claimedSize: 60 * 1024 * 1024 });
    const ticket = await ticketOf(from);
    const { messages } = (await desk.client().get(`/v1/tickets/${ticket.number}/messages`)).body;

    expect(ticket.title).toBe('Large');
    expect(messages[0].plain_text_body).toContain('This mail is larger than 50 MiB and was left where it is.');
    expect(server.commands.filter((command) => command.startsWith('UID FETCH'))).toHaveLength(1);
  });

  it('gets a placeholder for a mail that it never sends, after the other mails', async () => {
    const from = newEmail();
    await save();
    await inState('connected');
    server.misdeed = (command, socket) => {
      if (command !== 'UID FETCH' || !/UID FETCH (\d+,)*1\b/.test(server.commands.at(-1)!)) return false;
      socket.destroy();
      return true;
    };
    server.inbox.add(mailText({ From: newEmail() }));
    server.inbox.add(mailText({ From: from }));
    await inState('failing');
    await desk.sql.query('update imap_accounts set stuck_tries = 10, due_at = now() where id = $1', [mailbox.id]);

    expect(await ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
    const { tickets } = (await desk.client().get(`/v1/tickets?mailbox=${mailbox.id}`)).body;
    expect(tickets.map(({ title }: { title: string }) => title)).toContain('A mail that could not be fetched');
  });

  it('delivers all mails without long pauses when it ends each connection after a few', async () => {
    await save();
    await inState('connected');
    let fetched = 0;
    server.misdeed = (command, socket) => {
      if (command !== 'UID FETCH' || ++fetched % 2 === 1) return false;
      socket.destroy();
      return true;
    };
    for (let count = 0; count < 120; count++) server.inbox.add(mailText({ From: newEmail() }));
    const text = 'select count(*)::int as found from arrivals where mailbox_id = $1';
    const arrived = async () => (await desk.sql.query<{ found: number }>(text, [mailbox.id])).rows[0]!.found;

    expect(await eventually(async () => (await arrived()) === 120 && (await arrived()), { withinMs: 28_000 })).toBe(
      120,
    );
  });
});
