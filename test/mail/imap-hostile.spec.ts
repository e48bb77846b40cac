// @module-tag long
import type { Socket } from 'node:net';
import { type TestContext, afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import type { Misdeed } from '#test/support/imap/conversation.js';
import { flood } from '#test/support/imap/flood.js';
import { ImapMailbox } from '#test/support/imap/imap-mailbox.js';
import { mailText } from '#test/support/mails.js';

const desk = await startDesk();
await desk.worker();
afterAll(() => desk.stop());

async function connected(test: TestContext) {
  const mailbox = await ImapMailbox.ofTest(desk, { test });
  await mailbox.connect();
  return { mailbox, server: mailbox.server, from: newEmail() };
}

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
const floods =
  (at: string, beginning: string, text = 'x'): Misdeed =>
  (command, socket) =>
    command === at && (flood(socket, beginning, text), true);

const TOO_MUCH = /^The server sent too much in response to one command\.$/;

describe('a hostile IMAP server', () => {
  it.for<[string, Misdeed, reason?: RegExp]>([
    ['that speaks another protocol', says('GREETING', 'SSH-2.0-OpenSSH_9.2\r\n', '\0\u0001{9}\r\n')],
    ['that hangs up at once', (_, socket) => (socket.destroy(), true)],
    [
      'that answers garbage, and leaves',
      leavesAfter(says('EXAMINE', '* ((((( )\u0000{\r\n', '* 1 FETCH (UID\r\n', 'A OK\r\n')),
    ],
    [
      'that has a line without an end',
      floods('UID SEARCH', '* SEARCH '),
      /^The server sent a line that is too long\.$/,
    ],
    ['that sends lines without end', floods('UID SEARCH', '', '* OK x\r\n'), TOO_MUCH],
    ['that sends mail counts without end to a waiting client', floods('IDLE', '', '* 1 EXISTS\r\n'), TOO_MUCH],
    ['that announces 4 GB', floods('UID FETCH', '* 1 FETCH (UID 1 BODY[]<0> {4294967296}\r\n')],
  ])(
    'fails only its own mailbox: a server %s',
    { concurrent: true },
    async ([, misdeed, reason = /^(The|What) .+\.$/], test) => {
      const mailbox = await ImapMailbox.ofTest(desk, { test });
      mailbox.server.inbox.add(mailText({ From: newEmail() }));
      mailbox.server.misdeed = misdeed;
      await mailbox.save();
      const failing = await mailbox.inState('failing');
      const [other, from] = [await ImapMailbox.add(desk), newEmail()];
      await other.save();
      await eventually(() => other.server.commands.some((command) => command.startsWith('IDLE')), { withinMs: 25_000 });
      other.server.inbox.add(mailText({ From: from }));

      expect(failing.last_error).toMatch(reason);
      expect(await mailbox.ticketOf(from)).toMatchObject({ mailbox: other.name });
      await other.stop();
    },
  );

  it.concurrent('appears with its own words when it rejects the sign-in', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    await mailbox.save({ password: 'wrong' });

    expect((await mailbox.inState('failing')).last_error).toBe('The server refused the sign-in: Invalid credentials');
  });

  it.concurrent('costs no more than a connection when it does not answer', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    const { server } = mailbox;
    server.misdeed = () => true;
    await mailbox.save();
    await eventually(() => server.connections === 1, { withinMs: 25_000 });
    await mailbox.disconnect();
    await eventually(() => server.connections === 0, { withinMs: 25_000 });

    expect(server.commands).toEqual([]);
  });

  it.concurrent('gets no connection if it is in the operator’s network', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    await mailbox.save({ host: '10.1.2.3' });

    expect((await mailbox.inState('failing')).last_error).toBe(
      '10.1.2.3: the address was refused: it is a private address.',
    );
  });

  it.concurrent('delivers an email with NUL and an empty mail', async (test) => {
    const { mailbox, server, from } = await connected(test);
    server.inbox.add('');
    server.inbox.add(mailText({ From: from, Subject: 'Nu\0ll' }, 'a\0b'));

    expect(await mailbox.ticketOf(from)).toMatchObject({ title: 'Null' });
    expect(await mailbox.arrivals()).toHaveLength(2);
  });

  it.concurrent('gets a placeholder for an email that is too large, without fetching it', async (test) => {
    const { mailbox, server, from } = await connected(test);
    server.inbox.add(mailText({ From: from, Subject: 'Large' }, 'x'.repeat(70_000)), { claimedSize: 60 * 1024 * 1024 });
    const ticket = await mailbox.ticketOf(from);
    const { messages } = (await desk.client().get(`/v1/tickets/${ticket.number}/messages`)).body;

    expect(ticket.title).toBe('Large');
    expect(messages[0].plain_text_body).toContain('This email is larger than 50 MiB and was not fetched.');
    expect(server.commands.filter((command) => command.startsWith('UID FETCH'))).toHaveLength(1);
  });

  it.concurrent('gets a placeholder for an email that it never sends, after the other emails', async (test) => {
    const { mailbox, server, from } = await connected(test);
    server.misdeed = (command, socket) => {
      if (command !== 'UID FETCH' || !/UID FETCH (\d+,)*1\b/.test(server.commands.at(-1)!)) return false;
      socket.destroy();
      return true;
    };
    server.inbox.add(mailText({ From: newEmail() }));
    server.inbox.add(mailText({ From: from }));
    await mailbox.inState('failing');
    await desk.sql.query('update imap_accounts set stuck_tries = 10, due_at = now() where id = $1', [mailbox.id]);

    expect(await mailbox.ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
    const { tickets } = (await desk.client().get(`/v1/tickets?mailbox=${mailbox.id}`)).body;
    expect(tickets.map(({ title }: { title: string }) => title)).toContain('An email that could not be fetched');
  });

  it('delivers all emails without long pauses when it ends each connection after a few', async (test) => {
    const { mailbox, server } = await connected(test);
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
