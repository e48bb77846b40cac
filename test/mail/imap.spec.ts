import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { addMailbox, newEmail } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
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
const connected = () => eventually(async () => (await imap()).state === 'connected' && imap(), { withinMs: 20_000 });
const connect = async (changes: object = {}) => {
  await desk.client().put(path(), { ...server.settings, ...changes });
  return connected();
};
const ticketsOf = async (email: string) => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets;
const ticketOf = (email: string) => eventually(async () => (await ticketsOf(email))[0], { withinMs: 20_000 });

const rescan = async () => {
  const { body } = await desk.client().post(`${path()}/rescan`);
  const before = body.imap.compared_at as string;
  await eventually(async () => (await imap()).compared_at > before, { withinMs: 20_000 });
};
const arrivals = async () => {
  const text = 'select state from arrivals where mailbox_id = $1 order by id';
  return (await desk.sql.query<{ state: string }>(text, [mailbox.id])).rows;
};

describe('a new IMAP connection', () => {
  it('delivers new mail and skips existing mail', async () => {
    const [earlier, later] = [newEmail(), newEmail()];
    server.inbox.add(mailText({ From: earlier }));
    await connect();
    server.inbox.add(mailText({ From: later, Subject: 'Grüße' }));

    expect(await ticketOf(later)).toMatchObject({ title: 'Grüße', mailbox: mailbox.name });
    expect(await ticketsOf(earlier)).toEqual([]);
  });
});

describe('an IMAP mailbox', () => {
  it('changes nothing on the server', async () => {
    const from = newEmail();
    await connect();
    server.inbox.add(mailText({ From: from }));
    await ticketOf(from);

    expect(server.commands.filter((command) => /^(SELECT|UID STORE|EXPUNGE|CLOSE)|BODY\[/.test(command))).toEqual([]);
  });

  it('delivers a long mail with its files', async () => {
    const [from, long] = [newEmail(), 'A line of a letter that goes on and on.\r\n'.repeat(40_000)];
    await connect();
    server.inbox.add(mailText({ From: from, 'Content-Type': 'application/octet-stream; name=a.bin' }, long));
    const { number } = await ticketOf(from);
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;

    expect(messages[0].attachments).toMatchObject([{ name: 'a.bin', size: long.length + 2 }]);
  });

  it('delivers no mail twice after a UIDVALIDITY change, and mail that arrived during it', async () => {
    const [old, first, second] = [newEmail(), newEmail(), newEmail()];
    server.inbox.add(mailText({ From: old }));
    await connect();
    server.inbox.add(mailText({ From: first }));
    await ticketOf(first);
    server.inbox.add(mailText({ From: second }));
    server.inbox.renumber(700);
    server.disconnect();
    await ticketOf(second);
    await rescan();

    expect(await arrivals()).toEqual([{ state: 'understood' }, { state: 'understood' }]);
    expect(await ticketsOf(old)).toEqual([]);
  });

  it('recognizes mails that a server restores one by one after a UIDVALIDITY change', async () => {
    const [old, first, second] = [newEmail(), newEmail(), newEmail()];
    server.inbox.add(mailText({ From: old }));
    await connect();
    server.inbox.add(mailText({ From: first }));
    await ticketOf(first);
    const { mails } = server.inbox;
    Object.assign(server.inbox, { mails: [], uidNext: 1, uidValidity: 2 });
    const opened = server.commands.length;
    server.disconnect();
    await eventually(() => server.commands.slice(opened).includes('IDLE'), { withinMs: 20_000 });
    for (const { raw } of mails) server.inbox.add(raw);
    server.inbox.add(mailText({ From: second }));
    await ticketOf(second);

    expect(await arrivals()).toEqual([{ state: 'understood' }, { state: 'understood' }]);
    expect(await ticketsOf(old)).toEqual([]);
  });

  it('compares all mails of a server whose UIDs go back', async () => {
    const [first, second] = [newEmail(), newEmail()];
    await connect();
    server.inbox.add(mailText({ From: first }));
    server.inbox.add(mailText({ From: first }));
    await eventually(async () => (await ticketsOf(first)).length === 2);
    server.disconnect();
    Object.assign(server.inbox, { mails: [], uidNext: 1 });
    server.inbox.add(mailText({ From: second }));

    expect(await ticketOf(second)).toMatchObject({ mailbox: mailbox.name });
  });

  it('finds a mail that the server did not announce', async () => {
    const from = newEmail();
    await connect();
    const { inbox } = server;
    inbox.add(mailText({ From: newEmail() }));
    await eventually(async () => (await arrivals()).length === 1);
    inbox.mails = [{ uid: 1, raw: Buffer.from(mailText({ From: from })), date: new Date() }];
    await desk.sql.query('delete from imap_mails where mailbox_id = $1 and uid = 1', [mailbox.id]);
    await rescan();

    expect(await ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
    expect(await arrivals()).toHaveLength(2);
  });

  it('continues where it stopped after pause and resume', async () => {
    const from = newEmail();
    await connect();
    await desk.client().post(`${path()}/pause`);
    await eventually(() => server.connections === 0, { withinMs: 20_000 });
    server.inbox.add(mailText({ From: from }));
    expect((await imap()).state).toBe('paused');
    await desk.client().post(`${path()}/resume`);

    expect(await ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
  });
});
