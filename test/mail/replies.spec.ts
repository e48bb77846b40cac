import { MAILS_CHANNEL } from '#libs/mail';
import { describe, expect, it } from 'vitest';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { Mirror, differencesToApi } from '#test/support/mirror.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { becomes, readMessage, replyFrom, sendAgain, startMailDesk } from './mail-desk.js';

const { desk, hop, mailbox } = await startMailDesk({ MAIL_FROM: 'Deskwire <desk@acme.test>' });

const answered = (body = 'Turn it off and on.') => replyFrom(desk, mailbox.name, { body });
const read = (id: string) => readMessage(desk, id);
const headerOf = ({ parsed }: ReceivedMail, name: string): string | undefined =>
  parsed.headers.find(({ key }) => key === name)?.value;

describe('an agent’s reply', () => {
  it('goes to the customer by mail, and its message shows that', async () => {
    const { id, to, number, delivery } = await answered();
    const mail = await hop.mailTo(to);

    expect(delivery).toBe('queued');
    await becomes(desk, id, 'sent');
    expect(mail.parsed.subject).toBe('Re: No light');
    expect(mail.parsed.from).toMatchObject({ address: mailbox.email, name: 'Maya Lind (Acme)' });
    expect(mail.parsed.messageId).toBe(`<${id}@localhost>`);
    expect(mail.parsed.text).toMatch(
      /^Turn it off and on\.\n\nMaya Lind\nAcme\n\nOn .* wrote:\n> I cannot sign in\.\n$/,
    );
    expect(mail.parsed.html).toBeUndefined();
    const [local, domain] = mailbox.email.split('@');
    expect(mail.parsed.replyTo?.[0]?.address).toMatch(new RegExp(`^${local}\\+${number}\\.[0-9a-v]{16}@${domain}$`));
    expect(mail.from).toMatch(new RegExp(`^${local}\\+b\\.[0-9a-v]{16}@${domain}$`));
    expect(headerOf(mail, 'auto-submitted')).toBeUndefined();
  });

  it('tells programs that a program wrote it, to each recipient and when it is sent again', async () => {
    const boss = newEmail();
    hop.answer({ refuse: '554 5.7.1 No' });
    const reply = await replyFrom(desk, mailbox.name, { automatic: true, cc: [boss] });
    const refused = await eventually(async () => {
      const states = await desk.sql.query<{ state: string }>(
        'select state from outgoing_mails where $1 in (message_id, copy_of) order by state',
        [reply.id],
      );
      return states.rows.map(({ state }) => state).join() === 'failed,sent';
    });
    await sendAgain(desk, reply.id);
    const mails = [await hop.mailTo(reply.to), await hop.mailTo(boss)];

    expect(refused).toBe(true);
    expect(reply).not.toHaveProperty('automatic');
    expect(mails.map((mail) => headerOf(mail, 'auto-submitted'))).toEqual(['auto-replied', 'auto-replied']);
  });

  it('enters quarantine when it comes back to the mailbox', async () => {
    const { raw } = await hop.mailTo((await answered()).to);
    const { arrival, ticket } = await processed(desk, raw, { mailbox: mailbox.email });

    expect([arrival.state, arrival.reason, ticket]).toEqual(['quarantined', 'own_mail', undefined]);
  });

  it('carries the signatures of the agent and the mailbox, in text and HTML, but not in the database', async () => {
    const client = desk.client();
    await client.put(`/v1/mailboxes/${mailbox.id}`, { signature: 'Acme <Support>\nsince 1999' });
    await client.put(`/v1/agents/${desk.account.owner.email}`, { signature: 'M. from {{mailbox}}' });
    const [plain, marked] = [await answered('Soon.'), await answered('<p>Soon.</p>')];
    const [text, html] = [await hop.mailTo(plain.to), await hop.mailTo(marked.to)];
    await client.put(`/v1/mailboxes/${mailbox.id}`, { signature: '' });
    await client.put(`/v1/agents/${desk.account.owner.email}`, { signature: null });

    expect(text.parsed.text).toContain(`Soon.\n\nM. from ${mailbox.name}\nAcme <Support>\nsince 1999\n\nOn `);
    expect(html.parsed.html).toContain(
      `<p>Soon.</p><p>M. from ${mailbox.name}<br>Acme &lt;Support&gt;<br>since 1999</p>`,
    );
    expect((await read(marked.id)).body).toBe('<p>Soon.</p>');
  });

  it('notifies clients that follow changes when it was sent', async () => {
    const mirror = new Mirror(desk.client());
    const { id } = await answered();
    await becomes(desk, id, 'sent');
    await mirror.catchUp(desk.sql);
    await desk.sql.query("update outgoing_mails set state = 'unsure', ended_at = now() where message_id = $1", [id]);

    expect(await mirror.catchUp(desk.sql)).toBe(1);
    expect(await differencesToApi(mirror, desk.client())).toEqual([]);
    expect((await read(id)).updated_at > (await read(id)).created_at).toBe(true);
  });

  it('contains sanitized HTML and text', async () => {
    const { to } = await answered('<p>It is <b>on</b> its way</p><script>steal()</script>');
    const { parsed } = await hop.mailTo(to);

    expect(parsed.text).toContain('It is on its way');
    expect(parsed.html).toContain('<p>It is <b>on</b> its way</p>');
    expect(parsed.html).not.toContain('steal');
  });

  it('refers to the mail of the customer, and the next one to the whole thread', async () => {
    const [from, first] = [newEmail(), newMailId()];
    const { ticket } = await processed(desk, mailText({ From: from, 'Message-ID': first }), { mailbox: mailbox.email });
    const reply = async (body: string) =>
      (await desk.client().post(`/v1/tickets/${ticket.number}/messages`, { body })).body.message.id as string;
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
    const { to, number } = await answered();
    const mail = await hop.mailTo(to);
    const answer = mailText({ From: to, To: mail.parsed.replyTo![0]!.address!, Subject: 'Thanks' });
    const { arrival } = await processed(desk, answer);

    expect(arrival.links.ticket.href).toMatch(new RegExp(`/${number}$`));
  });

  it('does not allow a title or a name to inject headers', async () => {
    const [from, subject] = [newEmail(), 'Order\r\nBcc: all@victim.test\r\n\r\nHello'];
    const { number } = await startTicket(desk, { from, mailbox: mailbox.name, subject });
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Here.' });
    const mail = await hop.mailTo(from);

    expect(mail.parsed.subject).toBe('Re: Order Bcc: all@victim.test Hello');
    expect(mail.parsed.bcc).toBeUndefined();
    expect(mail.raw).not.toMatch(/^Bcc:/m);
  });

  it('goes by mail only from a mailbox with replies by mail', async () => {
    const quiet = desk.account.mailbox.name;
    const { id, delivery } = await replyFrom(desk, quiet);
    await desk.client().put(`/v1/mailboxes/${desk.account.mailbox.id}`, { replies_by_mail: true });
    const later = await replyFrom(desk, quiet);
    await hop.mailTo(later.to);
    await desk.client().put(`/v1/mailboxes/${desk.account.mailbox.id}`, { replies_by_mail: false });

    expect([delivery, (await read(id)).delivery, later.delivery]).toEqual([null, null, 'queued']);
  });

  it('stays unmailed if it is a note, a customer’s message, or was sent earlier elsewhere', async () => {
    const { to, number } = await answered();
    const post = async (fields: object) =>
      (await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x', ...fields })).body.message.delivery;

    expect(await post({ note: true })).toBeNull();
    expect(await post({ author: to })).toBeNull();
    expect(await post({ sent_at: '2020-01-01T00:00:00Z' })).toBeNull();
  });

  it('wakes the workers, unlike a note or a change of state', async () => {
    const heard: (string | undefined)[] = [];
    await desk.sql.query(`listen ${MAILS_CHANNEL}`);
    desk.sql.on('notification', ({ payload }) => heard.push(payload));
    const { number, id } = await answered();
    expect(await eventually(() => heard.length > 0)).toBe(true);
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x', note: true });
    await desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    await becomes(desk, id, 'sent');
    await answered('Another.');

    expect(await eventually(() => heard.length > 1 && heard)).toEqual([desk.account.id, desk.account.id]);
    await desk.sql.query(`unlisten ${MAILS_CHANNEL}`);
    desk.sql.removeAllListeners('notification');
  });

  it('fails with a reason if no email can reach the address', async () => {
    const { number } = await startTicket(desk, { from: 'nobody@mail.invalid', mailbox: mailbox.name });
    const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'x' });

    expect(await becomes(desk, body.message.id, 'failed')).toMatchObject({
      delivery_reason: 'Email cannot be sent to this address.',
    });
  });
});
