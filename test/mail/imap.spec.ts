import { type TestContext, afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapMailbox } from '#test/support/imap/imap-mailbox.js';
import { mailText } from '#test/support/mails.js';

const desk = await startDesk();
await desk.worker();
afterAll(() => desk.stop());

async function connected(test: TestContext) {
  const mailbox = await ImapMailbox.ofTest(desk, { test });
  await mailbox.connect();
  return { mailbox, server: mailbox.server, inbox: mailbox.server.inbox };
}

const ticketsOf = async (email: string) => (await desk.client().get(`/v1/tickets?customer=${email}`)).body.tickets;

const rescan = async (mailbox: ImapMailbox) => {
  const { body } = await desk.client().post(`${mailbox.path}/rescan`);
  const before = body.imap.compared_at as string;
  await eventually(async () => (await mailbox.imap()).compared_at > before, { withinMs: 20_000 });
};

describe.concurrent('a new IMAP connection', () => {
  it('delivers new mail and skips existing mail', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    const { server } = mailbox;
    const [earlier, later] = [newEmail(), newEmail()];
    server.inbox.add(mailText({ From: earlier }));
    await mailbox.connect();
    server.inbox.add(mailText({ From: later, Subject: 'Grüße' }));

    expect(await mailbox.ticketOf(later)).toMatchObject({ title: 'Grüße', mailbox: mailbox.name });
    expect(await ticketsOf(earlier)).toEqual([]);
  });
});

describe.concurrent('an IMAP mailbox', () => {
  it('changes nothing on the server', async (test) => {
    const { mailbox, server, inbox } = await connected(test);
    const from = newEmail();
    inbox.add(mailText({ From: from }));
    await mailbox.ticketOf(from);

    expect(server.commands.filter((command) => /^(SELECT|UID STORE|EXPUNGE|CLOSE)|BODY\[/.test(command))).toEqual([]);
  });

  it('delivers a long mail with its files', async (test) => {
    const { mailbox, inbox } = await connected(test);
    const [from, long] = [newEmail(), 'A line of a letter that goes on and on.\r\n'.repeat(40_000)];
    inbox.add(mailText({ From: from, 'Content-Type': 'application/octet-stream; name=a.bin' }, long));
    const { number } = await mailbox.ticketOf(from);
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;

    expect(messages[0].attachments).toMatchObject([{ name: 'a.bin', size: long.length + 2 }]);
  });

  it('delivers no email twice after a UIDVALIDITY change, and mail that arrived during it', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    const { server } = mailbox;
    const [old, first, second] = [newEmail(), newEmail(), newEmail()];
    server.inbox.add(mailText({ From: old }));
    await mailbox.connect();
    server.inbox.add(mailText({ From: first }));
    await mailbox.ticketOf(first);
    server.inbox.add(mailText({ From: second }));
    server.inbox.renumber(700);
    server.disconnect();
    await mailbox.ticketOf(second);
    await rescan(mailbox);

    expect(await mailbox.arrivals()).toEqual([{ state: 'processed' }, { state: 'processed' }]);
    expect(await ticketsOf(old)).toEqual([]);
  });

  it('recognizes emails that a server restores one by one after a UIDVALIDITY change', async (test) => {
    const mailbox = await ImapMailbox.ofTest(desk, { test });
    const { server } = mailbox;
    const [old, first, second] = [newEmail(), newEmail(), newEmail()];
    server.inbox.add(mailText({ From: old }));
    await mailbox.connect();
    server.inbox.add(mailText({ From: first }));
    await mailbox.ticketOf(first);
    const { mails } = server.inbox;
    Object.assign(server.inbox, { mails: [], uidNext: 1, uidValidity: 2 });
    const opened = server.commands.length;
    server.disconnect();
    await eventually(() => server.commands.slice(opened).includes('IDLE'), { withinMs: 20_000 });
    for (const { raw } of mails) server.inbox.add(raw);
    server.inbox.add(mailText({ From: second }));
    await mailbox.ticketOf(second);

    expect(await mailbox.arrivals()).toEqual([{ state: 'processed' }, { state: 'processed' }]);
    expect(await ticketsOf(old)).toEqual([]);
  });

  it('compares all emails of a server whose UIDs go back', async (test) => {
    const { mailbox, server, inbox } = await connected(test);
    const [first, second] = [newEmail(), newEmail()];
    inbox.add(mailText({ From: first }));
    inbox.add(mailText({ From: first }));
    await eventually(async () => (await ticketsOf(first)).length === 2);
    server.disconnect();
    Object.assign(inbox, { mails: [], uidNext: 1 });
    inbox.add(mailText({ From: second }));

    expect(await mailbox.ticketOf(second)).toMatchObject({ mailbox: mailbox.name });
  });

  it('finds an email that the server did not announce', async (test) => {
    const { mailbox, inbox } = await connected(test);
    const from = newEmail();
    inbox.add(mailText({ From: newEmail() }));
    await eventually(async () => (await mailbox.arrivals()).length === 1);
    inbox.mails = [{ uid: 1, raw: Buffer.from(mailText({ From: from })), date: new Date() }];
    await desk.sql.query('delete from imap_mails where mailbox_id = $1 and uid = 1', [mailbox.id]);
    await rescan(mailbox);

    expect(await mailbox.ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
    expect(await mailbox.arrivals()).toHaveLength(2);
  });

  it('continues where it stopped after pause and resume', async (test) => {
    const { mailbox, server, inbox } = await connected(test);
    const from = newEmail();
    await desk.client().post(`${mailbox.path}/pause`);
    await eventually(() => server.connections === 0, { withinMs: 20_000 });
    inbox.add(mailText({ From: from }));
    expect((await mailbox.imap()).state).toBe('paused');
    await desk.client().post(`${mailbox.path}/resume`);

    expect(await mailbox.ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
  });
});
