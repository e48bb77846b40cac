import { MAILS_CHANNEL } from '#libs/mail';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, postMail, processed } from '#test/support/mails.js';
import { Mirror, differencesToApi } from '#test/support/mirror.js';
import { NextHop, type ReceivedMail } from '#test/support/next-hop.js';

let hop: NextHop;
let desk: Desk;
/** A new mailbox, so its replies are mailed. */
let mailbox: { name: string; email: string; id: string };
beforeAll(async () => {
  hop = await NextHop.start();
  desk = await startDesk({ settings: { SMTP_URL: hop.url, MAIL_FROM: 'Deskwire <desk@acme.test>' } });
  mailbox = await addMailbox(desk);
  await desk.worker();
});
afterAll(async () => {
  await desk.stop();
  await hop.stop();
});

interface Answered {
  readonly customer: string;
  readonly number: number;
  readonly message: { id: string; delivery: string | null };
}

async function answered(body = 'Turn it off and on.', fields: Record<string, unknown> = {}): Promise<Answered> {
  const customer = newEmail();
  const { number } = await startTicket(desk, { from: customer, mailbox: mailbox.name, subject: 'No light', ...fields });
  const { status, body: said, text } = await desk.client().post(`/v1/tickets/${number}/messages`, { body });
  if (status !== 201) throw new Error(text);
  return { customer, number, message: said.message };
}

const read = async (id: string) => (await desk.client().get(`/v1/messages/${id}`)).body.message;
const headerOf = ({ parsed }: ReceivedMail, name: string): string | undefined =>
  parsed.headers.find(({ key }) => key === name)?.value;

describe('an agent’s reply', () => {
  it('goes to the customer by mail, and its message shows that', async () => {
    const { customer, number, message } = await answered();
    const mail = await hop.mailTo(customer);

    expect(message.delivery).toBe('queued');
    expect(await eventually(async () => (await read(message.id)).delivery === 'sent')).toBe(true);
    expect(mail.parsed.subject).toBe('Re: No light');
    expect(mail.parsed.from).toMatchObject({ address: mailbox.email, name: 'Maya Lind (Acme)' });
    expect(mail.parsed.messageId).toBe(`<${message.id}@localhost>`);
    expect(mail.parsed.text).toBe('Turn it off and on.\n\nMaya Lind\nAcme\n');
    expect(mail.parsed.html).toBeUndefined();
    const [local, domain] = mailbox.email.split('@');
    expect(mail.parsed.replyTo?.[0]?.address).toMatch(new RegExp(`^${local}\\+${number}\\.[0-9a-v]{16}@${domain}$`));
    expect(mail.from).toMatch(new RegExp(`^${local}\\+b\\.[0-9a-v]{16}@${domain}$`));
    expect(headerOf(mail, 'auto-submitted')).toBeUndefined();
  });

  it('tells programs that a program wrote it, to each recipient and when it is sent again', async () => {
    const [customer, boss] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: customer, mailbox: mailbox.name });
    const written = { body: 'We are on it.', automatic: true, cc: [boss] };
    hop.answer({ refuse: '554 5.7.1 No' });
    const { status, body } = await desk.client().post(`/v1/tickets/${number}/messages`, written);
    const refused = await eventually(async () => {
      const states = await desk.sql.query<{ state: string }>(
        'select state from outgoing_mails where $1 in (message_id, copy_of) order by state',
        [body.message.id],
      );
      return states.rows.map(({ state }) => state).join() === 'failed,sent';
    });
    await desk.client().post(`/v1/messages/${body.message.id}/send_again`);
    const mails = [await hop.mailTo(customer), await hop.mailTo(boss)];

    expect([status, refused]).toEqual([201, true]);
    expect(body.message).not.toHaveProperty('automatic');
    expect(mails.map((mail) => headerOf(mail, 'auto-submitted'))).toEqual(['auto-replied', 'auto-replied']);
  });

  it('enters quarantine when it comes back to the mailbox', async () => {
    const { customer } = await answered();
    const { raw } = await hop.mailTo(customer);
    const { arrival, ticket } = await processed(desk, raw, { mailbox: mailbox.email });

    expect([arrival.state, arrival.reason, ticket]).toEqual(['quarantined', 'own_mail', undefined]);
  });

  it('carries the signatures of the agent and the mailbox, in text and HTML, but not in the database', async () => {
    const client = desk.client();
    await client.put(`/v1/mailboxes/${mailbox.id}`, { signature: 'Acme <Support>\nsince 1999' });
    await client.put(`/v1/agents/${desk.account.owner.email}`, { signature: 'M. from {{mailbox}}' });
    const [plain, marked] = [await answered('Soon.'), await answered('<p>Soon.</p>')];
    const [text, html] = [await hop.mailTo(plain.customer), await hop.mailTo(marked.customer)];
    await client.put(`/v1/mailboxes/${mailbox.id}`, { signature: '' });
    await client.put(`/v1/agents/${desk.account.owner.email}`, { signature: null });

    expect(text.parsed.text).toBe(`Soon.\n\nM. from ${mailbox.name}\nAcme <Support>\nsince 1999\n`);
    expect(html.parsed.html).toContain(
      `<p>Soon.</p><p>M. from ${mailbox.name}<br>Acme &lt;Support&gt;<br>since 1999</p>`,
    );
    expect((await read(marked.message.id)).body).toBe('<p>Soon.</p>');
  });

  it('notifies clients that follow changes when it was sent', async () => {
    const mirror = new Mirror(desk.client());
    const { message } = await answered();
    await eventually(async () => (await read(message.id)).delivery === 'sent');
    await mirror.catchUp(desk.sql);
    await desk.sql.query("update outgoing_mails set state = 'unsure', ended_at = now() where message_id = $1", [
      message.id,
    ]);
    const told = await mirror.catchUp(desk.sql);

    expect(told).toBe(1);
    expect(await differencesToApi(mirror, desk.client())).toEqual([]);
    expect((await read(message.id)).updated_at > (await read(message.id)).created_at).toBe(true);
  });

  it('contains sanitized HTML and text', async () => {
    const { customer } = await answered('<p>It is <b>on</b> its way</p><script>steal()</script>');
    const { parsed } = await hop.mailTo(customer);

    expect(parsed.text).toContain('It is on its way');
    expect(parsed.html).toContain('<p>It is <b>on</b> its way</p>');
    expect(parsed.html).not.toContain('steal');
  });

  it('refers to the mail of the customer, and the next one to the whole thread', async () => {
    const [from, first] = [newEmail(), newMailId()];
    const posted = await postMail(desk, mailText({ From: from, 'Message-ID': first }), { mailbox: mailbox.email });
    const { ticket } = await eventually(async () => {
      const { arrival } = (await desk.client().get(`/v1/arrivals/${posted.body.arrival.id}`)).body;
      return arrival.state === 'processed' && { ticket: arrival.links.ticket.href.split('/').at(-1) as string };
    });
    const reply = async (body: string) =>
      (await desk.client().post(`/v1/tickets/${ticket}/messages`, { body })).body.message.id as string;
    const one = await reply('Which printer?');
    const two = await reply('It was the toner.');
    const mails = await eventually(() => {
      const all = hop.taken.filter(({ to }) => to === from);
      return all.length === 2 && all.toSorted((a, b) => (a.parsed.messageId! < b.parsed.messageId! ? -1 : 1));
    });

    expect(mails.map(({ parsed }) => parsed.subject)).toEqual(Array(2).fill('Re: The printer is on fire'));
    expect(mails[0]!.parsed).toMatchObject({ messageId: `<${one}@localhost>`, inReplyTo: first, references: first });
    expect(mails[1]!.parsed).toMatchObject({
      messageId: `<${two}@localhost>`,
      inReplyTo: `<${one}@localhost>`,
      references: `${first} <${one}@localhost>`,
    });
  });

  it('brings an answer into its ticket by its Reply-To', async () => {
    const { customer, number } = await answered();
    const mail = await hop.mailTo(customer);
    const answer = mailText({ From: customer, To: mail.parsed.replyTo![0]!.address!, Subject: 'Thanks' });
    const { arrival } = await processed(desk, answer);

    expect(arrival.links.ticket.href).toMatch(new RegExp(`/${number}$`));
  });

  it('does not allow a title or a name to inject headers', async () => {
    const subject = 'Order\r\nBcc: all@victim.test\r\n\r\nHello';
    const { customer } = await answered('Here.', { subject });
    const mail = await hop.mailTo(customer);

    expect(mail.parsed.subject).toBe('Re: Order Bcc: all@victim.test Hello');
    expect(mail.parsed.bcc).toBeUndefined();
    expect(mail.raw).not.toMatch(/^Bcc:/m);
  });

  it('goes by mail only from a mailbox with replies by mail', async () => {
    const quiet = { mailbox: desk.account.mailbox.name };
    const { message } = await answered('Not by mail.', quiet);
    await desk.client().put(`/v1/mailboxes/${desk.account.mailbox.id}`, { replies_by_mail: true });
    const later = await answered('By mail.', quiet);
    await hop.mailTo(later.customer);
    await desk.client().put(`/v1/mailboxes/${desk.account.mailbox.id}`, { replies_by_mail: false });

    expect(message.delivery).toBeNull();
    expect((await read(message.id)).delivery).toBeNull();
    expect(later.message.delivery).toBe('queued');
  });

  it('stays unmailed if it is a note, a customer’s message, or was sent earlier elsewhere', async () => {
    const { customer, number } = await answered();
    const post = async (fields: object) =>
      (await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x', ...fields })).body.message.delivery;

    expect(await post({ note: true })).toBeNull();
    expect(await post({ author: customer })).toBeNull();
    expect(await post({ sent_at: '2020-01-01T00:00:00Z' })).toBeNull();
  });

  it('wakes the workers, unlike a note or a change of state', async () => {
    const heard: (string | undefined)[] = [];
    await desk.sql.query(`listen ${MAILS_CHANNEL}`);
    desk.sql.on('notification', ({ payload }) => heard.push(payload));
    const { number, message } = await answered();
    expect(await eventually(() => heard.length > 0)).toBe(true);
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x', note: true });
    await desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    await eventually(async () => (await read(message.id)).delivery === 'sent');
    await answered('Another.');

    expect(await eventually(() => heard.length > 1 && heard)).toEqual([desk.account.id, desk.account.id]);
    await desk.sql.query(`unlisten ${MAILS_CHANNEL}`);
    desk.sql.removeAllListeners('notification');
  });

  it('fails with a reason if no email can reach the address', async () => {
    const { message } = await answered('x', { from: 'nobody@mail.invalid' });

    expect(
      await eventually(async () => (await read(message.id)).delivery === 'failed' && read(message.id)),
    ).toMatchObject({ delivery_reason: 'Email cannot be sent to this address.' });
  });
});
