// @module-tag long
import { beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { runCli } from '../cli/run.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { type Page, csrfOf } from '../oauth/support/person.js';
import { addMailbox } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapServer } from '#test/support/imap/server.js';
import { mailText, postMail, processed } from '#test/support/mails.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { seedAccount } from '#test/support/seed.js';
import { mailLines, talk } from '#test/support/smtp.js';
import { deliveryReport, startMailConsole } from './mail-desk.js';

const port = await freePort();
const { oauth, desk, hop } = await startMailConsole({ MAIL_PORT: `${port}` });
const owner = await oauth.person();

let mailbox: { readonly id: string; readonly email: string };
beforeEach(async () => {
  mailbox = await addMailbox(desk);
});

const page = (): string => `/settings/mailboxes/${mailbox.id}`;
const show = async (): Promise<string> => (await owner.get(page())).html;
const start = async (): Promise<Page> => owner.post(`${page()}/test`, { csrf: csrfOf(await owner.get(page())) });
const shown = (text: string) => eventually(async () => (await show()).includes(text), { withinMs: 20_000 });

async function testMail(): Promise<ReceivedMail> {
  expect((await start()).status).toBe(303);
  return hop.mailTo(mailbox.email);
}

/** Delivers the mail as the server of the mailbox does. */
const deliver = ({ from, raw }: ReceivedMail) => talk(port, mailLines(from, [mailbox.email], raw));

const cli = (...args: string[]) => runCli(['mailboxes', ...args, '--json'], desk.environment);
const statesIn = (steps: readonly { step: string; state: string }[]): string =>
  steps.map(({ step, state }) => `${step} ${state}`).join(', ');

const arrivals = async (id = mailbox.id) => {
  const text = 'select state, reason, ticket_id from arrivals where mailbox_id = $1 order by id';
  return (await desk.sql.query<{ state: string }>(text, [id])).rows;
};
const countEvents = async () => (await desk.sql.query('select from events')).rowCount;
const CAME_BACK = { state: 'processed', reason: 'mailbox_test', ticket_id: null };

describe('a mailbox check', () => {
  it('goes out like a reply, returns by SMTP, and creates no ticket and no event', async () => {
    const before = await countEvents();
    const mail = await testMail();
    await shown('Waiting up to two minutes for it to arrive');
    expect(await deliver(mail)).toEqual(['250', '250', '354', '250']);
    await shown('Sending and receiving work.');

    expect(mail.parsed.from?.address).toBe(mailbox.email);
    expect(mail.parsed.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted' }));
    expect(await show()).toContain('Arrived by SMTP');
    expect(await arrivals()).toEqual([CAME_BACK]);
    expect(await countEvents()).toBe(before);
    expect(hop.taken.filter(({ to }) => to === mailbox.email)).toHaveLength(1);
  });

  it('returns by IMAP even if it was there before the first connection, unlike other mail', async () => {
    const server = await ImapServer.start();
    const imap = `/v1/mailboxes/${mailbox.id}/imap`;
    await desk.client().put(imap, { ...server.settings, port: await freePort() });
    const { raw } = await testMail();
    await shown('Cannot connect to 127.0.0.1.');
    server.inbox.add(raw);
    server.inbox.add(mailText({ Subject: 'Old' }));
    await desk.client().put(imap, server.settings);
    await shown('Arrived by IMAP');

    expect(await show()).toContain('Signed in to 127.0.0.1');
    expect(await show()).toContain('Sending and receiving work.');
    expect(await arrivals()).toEqual([CAME_BACK]);
    await desk.client().delete(imap);
    await server.stop();
  });

  it('ignores an email that only resembles it, which becomes a ticket', async () => {
    const mail = await testMail();
    const token = /\[t\.([0-9a-v]{16})\]/.exec(mail.raw)![1]!;
    const forged = mail.raw.replace(`[t.${token}]`, '[t.0123456789abcdef]');
    const answer = mailText({ Subject: mail.parsed.subject!, 'In-Reply-To': mail.parsed.messageId! });
    // The answer goes first, or it would join the ticket of the forged mail, whose Message-ID it names.
    const [other, one] = [
      await processed(desk, answer, { mailbox: mailbox.email }),
      await processed(desk, forged, { mailbox: mailbox.email }),
    ];

    expect(one.ticket.title).toBe(`Test of ${mailbox.email} [t.0123456789abcdef]`);
    expect(other.ticket.title).toBe(mail.parsed.subject);
    await shown('Waiting up to two minutes for it to arrive');
  });

  it('fails after two minutes, and still accepts an email that returns later', async () => {
    const mail = await testMail();
    await shown('Waiting up to two minutes for it to arrive');
    expect((await start()).html).toContain('A test of this mailbox is already running. Wait until it ends.');
    await desk.sql.query("update outgoing_mails set ended_at = ended_at - interval '2 minutes' where recipient = $1", [
      mailbox.email,
    ]);
    const failed = await show();
    await deliver(mail);
    await shown('Sending and receiving work.');

    expect(failed).toContain(`Does the mail server for ${mailbox.email} deliver to this installation?`);
    expect(failed).toContain('Check again');
    expect(await arrivals()).toEqual([CAME_BACK]);
  });

  it.each([
    ['for good', { refuse: '554 5.7.1 Not from there' }],
    ['for now, and is not sent again by itself', { refuse: '451 4.7.1 Later' }],
  ])('shows the reason of a server that rejects it %s', async (_, answer) => {
    hop.answer(answer);
    const { code, json } = await cli('test', mailbox.id);

    expect([code, statesIn(json)]).toEqual([1, 'send failed']);
    expect(json[0].text).toContain(answer.refuse.slice(4));
    expect(await show()).toContain('The check failed.');
    const { rows } = await desk.sql.query('select state from outgoing_mails where recipient = $1', [mailbox.email]);
    expect(rows).toEqual([{ state: 'failed' }]);
  });

  it('shows that the mailbox’s own mail server is unreachable', async () => {
    const nobody = { host: '127.0.0.1', port: await freePort(), security: 'none' };
    await desk.client().put(`/v1/mailboxes/${mailbox.id}/smtp`, nobody);
    const { code, json } = await cli('test', mailbox.id);

    expect([code, statesIn(json)]).toEqual([1, 'send failed']);
    expect(json[0].text).toMatch(/No connection to 127\.0\.0\.1.*Correct the settings under “Send email \(SMTP\)”/);
  });

  it('shows that a remote server rejected it', async () => {
    const mail = await testMail();
    await shown('Waiting up to two minutes for it to arrive');
    await talk(port, mailLines('', [mail.from], deliveryReport(mail)));
    await shown('550 5.1.1 No such user');

    expect(await arrivals()).toEqual([{ state: 'processed', reason: 'delivery_report', ticket_id: null }]);
  });

  it('stays invisible to another account, where its mail is ordinary', async () => {
    const other = await seedAccount(desk.sql);
    const { id, email } = await oauth.agent(other.id);
    await desk.sql.query("update agents set role = 'admin' where id = $1", [id]);
    const stranger = await oauth.person(email);
    const { raw } = await testMail();
    const refused = await stranger.post(`${page()}/test`, { csrf: csrfOf(await stranger.get('/profile')) });
    await postMail(desk, raw, { mailbox: other.mailbox.email, token: other.owner.token });
    const [arrival] = await eventually(async () => {
      const came = await arrivals(other.mailbox.id);
      return came[0]?.state === 'processed' && came;
    });

    expect(refused.status).toBe(404);
    expect(arrival).toMatchObject({ reason: null, ticket_id: expect.any(String) as unknown });
    await shown('Waiting up to two minutes for it to arrive');
  });
});

describe('the operator', () => {
  it('checks a mailbox by its address and waits', async () => {
    const running = cli('test', mailbox.email.toUpperCase());
    await deliver(await hop.mailTo(mailbox.email));
    const { code, json } = await running;

    expect([code, statesIn(json)]).toEqual([0, 'send done, return done']);
  });

  it('pauses, resumes and compares IMAP', async () => {
    expect((await cli('pause', mailbox.email)).code).toBe(1);
    const server = { host: 'imap.invalid', port: 993, security: 'tls', username: 'ana', password: 'secret' };
    await desk.client().put(`/v1/mailboxes/${mailbox.id}/imap`, server);
    const [paused, resumed, compared] = [
      await cli('pause', mailbox.email),
      await cli('resume', mailbox.id),
      await cli('rescan', mailbox.id),
    ];

    expect(paused.json).toMatchObject({ email: mailbox.email, host: 'imap.invalid', state: 'paused' });
    expect(resumed.json.state).not.toBe('paused');
    expect(compared.code).toBe(0);
    expect((await cli('test', 'nobody@desk.test')).code).toBe(1);
  });
});

describe('a trial', () => {
  it('refuses to check a mailbox without its own mail server, and the page explains why', async () => {
    const trial = await OAuthDesk.start({ CATCH_MAIL: 'true' });
    const { id } = await addMailbox(trial.desk);
    const manager = await trial.person();
    const before = await manager.get(`/settings/mailboxes/${id}`);
    const refused = await manager.post(`/settings/mailboxes/${id}/test`, { csrf: csrfOf(before) });

    expect(before.html).toContain('Mailboxes cannot be checked in trial mode');
    expect(before.html).not.toContain('Check this mailbox');
    expect(refused.status).toBe(409);
    expect((await trial.desk.sql.query('select from outgoing_mails')).rowCount).toBe(0);
    await trial.stop();
  });
});
