import { afterAll, describe, expect, it } from 'vitest';
import { MailServer } from '../../oauth/support/mail-server.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

let mail = await MailServer.start();
const desk = await startDesk({ settings: { SMTP_URL: mail.url, MAIL_FROM: 'Acme <desk@acme.test>' } });
afterAll(async () => {
  await desk.stop();
  mail.stop();
});

const mailTo = (email: string) => eventually(() => mail.mails.find((text) => text.includes(`To: ${email}`)));

const owed = async (): Promise<number> =>
  (await desk.sql.query("select from outgoing_mails where state = 'queued'")).rowCount ?? 0;

describe('send_copy_to_customer', () => {
  it('sends the customer one email with what the agent wrote', async () => {
    const [to, later] = [newEmail(), newEmail()];
    const started = { from: desk.account.owner.email, send_copy_to_customer: true };
    await startTicket(desk, {
      ...started,
      to,
      subject: 'Your\r\nBcc: all@victim.test\r\norder',
      body: '<p>It is <b>on its way</b></p><script>steal()</script><p>&lt;3</p>',
    });
    const worker = await desk.worker();
    const text = await mailTo(to);
    await startTicket(desk, { ...started, to: later });
    await mailTo(later);
    await worker.stop();

    expect(text).toContain('Subject: Your Bcc: all@victim.test order');
    expect(text).toContain('From: Acme <desk@acme.test>');
    expect(text).toContain(`Reply-To: ${desk.account.mailbox.email}`);
    expect(text).toMatch(/Content-Type: text\/plain/);
    expect(text).toMatch(/Content-Type: text\/html/);
    expect(text).toContain('It is on its way');
    expect(text).toContain('<3');
    expect(text).not.toMatch(/steal|^Bcc:/m);
    expect(mail.mails.filter((one) => one.includes(`To: ${to}`))).toHaveLength(1);
    expect(await owed()).toBe(0);
  });

  it('sends no note, no message of a customer, and no copy by default', async () => {
    const { email: agent } = desk.account.owner;
    const asked = { send_copy_to_customer: true };

    await startTicket(desk, { ...asked, from: agent, to: newEmail(), note: true });
    await startTicket(desk, { ...asked, from: newEmail() });
    await startTicket(desk, { from: agent, to: newEmail() });
    await startTicket(desk, { from: agent, to: newEmail(), send_copy_to_customer: false });

    expect(await owed()).toBe(0);
  });

  it('retries when the mail server refuses temporarily', async () => {
    const port = Number(new URL(mail.url).port);
    const to = newEmail();
    await startTicket(desk, { from: desk.account.owner.email, to, send_copy_to_customer: true });
    mail.stop();
    const worker = await desk.worker();
    await eventually(
      async () => (await desk.sql.query('select from outgoing_mails where tries = 1 and lease is null')).rowCount === 1,
    );
    mail = await MailServer.start(port);
    await desk.sql.query('update outgoing_mails set due_at = now()');

    expect(await mailTo(to)).toContain(`To: ${to}`);
    await worker.stop();
  });

  it('has no effect without a mail server', async () => {
    const silent = await startDesk();
    await startTicket(silent, { from: silent.account.owner.email, to: newEmail(), send_copy_to_customer: true });

    expect((await silent.sql.query('select from outgoing_mails')).rowCount).toBe(0);
    await silent.stop();
  });
});
