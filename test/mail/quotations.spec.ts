import { expect, describe, it } from 'vitest';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { startMailConsole } from './mail-desk.js';

const { oauth, desk, hop, mailbox } = await startMailConsole();
const owner = await oauth.person();
const client = desk.client();
const { email: ownerEmail } = desk.account.owner;

const HEADER = /^On (\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d), (.*) wrote:$/m;
const SIGNED = 'Maya Lind\nAcme\n';

const post = async (number: number, body: string, fields: object = {}): Promise<string> =>
  (await client.post(`/v1/tickets/${number}/messages`, { body, ...fields })).body.message.id;

const mailsTo = (to: string, count: number) =>
  eventually(() => {
    const mails = hop.taken.filter((mail) => mail.to === to).map(({ parsed }) => parsed);
    return mails.length === count && mails.toSorted((a, b) => (a.messageId! < b.messageId! ? -1 : 1));
  });

/** The text below the signature. */
const quotedIn = ({ text }: { text?: string | undefined }) => text!.slice(text!.indexOf(SIGNED) + SIGNED.length);

async function writtenBy(from: string, body: string, headers: Record<string, string> = {}) {
  const mail = mailText({ From: `Ana Lima <${from}>`, 'Message-ID': newMailId(), ...headers }, body);
  return processed(desk, mail, { mailbox: mailbox.email });
}

describe('an email with a reply', () => {
  it('quotes the message that it answers below the signature', async () => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'No light.\r\n\r\nSince noon.');
    await post(ticket.number, 'Which lamp?');
    const [mail] = await mailsTo(from, 1);
    const [, time, name] = HEADER.exec(mail!.text!)!;

    expect(mail!.text!.startsWith(`Which lamp?\n\n${SIGNED}\nOn `)).toBe(true);
    expect(Date.now() - Date.parse(`${time} UTC`)).toBeLessThan(120_000);
    expect(name).toBe(`Ana Lima <${from}>`);
    expect(mail!.text!.endsWith(' wrote:\n> No light.\n> \n> Since noon.\n')).toBe(true);
    expect(mail!.html).toBeUndefined();
  });

  it('quotes the last message to or from the customer, never a note and never the address of an agent', async () => {
    const from = newEmail();
    const { number } = await startTicket(desk, { from, mailbox: mailbox.name });
    await post(number, 'Which lamp?');
    await post(number, 'She is a reseller.', { note: true });
    await post(number, 'The red one?', { cc: [newEmail()] });
    const [first, second] = await mailsTo(from, 2);

    expect(quotedIn(first!)).toMatch(/\n> I cannot sign in\.\n$/);
    expect(quotedIn(second!)).toMatch(
      new RegExp(`^\\nOn [^\\n]+, Maya Lind <${mailbox.email}> wrote:\\n> Which lamp\\?\\n$`),
    );
    expect(second!.text).not.toContain(ownerEmail);
  });

  it('quotes nothing in the first message of a ticket and in automatic messages', async () => {
    const to = newEmail();
    const fields = { from: ownerEmail, to, mailbox: mailbox.name, subject: 'Hello' };
    const { number } = await startTicket(desk, fields);
    await post(number, 'We got it.', { automatic: true });
    const [first, automatic] = await mailsTo(to, 2);

    expect([quotedIn(first!), quotedIn(automatic!)]).toEqual(['', '']);
    expect([first!.subject, automatic!.subject]).toEqual(['Hello', 'Re: Hello']);
  });

  it('quotes no message that the customer did not get', async () => {
    const [from, colleague] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from, mailbox: mailbox.name });
    await post(number, 'She is difficult.', { author: colleague });
    await post(number, 'Which lamp?');
    const [mail] = await mailsTo(from, 1);

    expect(quotedIn(mail!)).toMatch(new RegExp(`<${from}> wrote:\\n> I cannot sign in\\.\\n$`));
    expect(mail!.text).not.toContain(colleague);
  });

  it('quotes nothing that was written to a former customer', async () => {
    const [colleague, from] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: colleague, mailbox: mailbox.name, subject: 'No light' });
    await owner.act(`/tickets/${number}/customer`, { email: from });
    await post(number, 'Which lamp?');
    const [mail] = await mailsTo(from, 1);

    expect(quotedIn(mail!)).toBe('');
    expect(mail!.subject).toMatch(/^Re: /);
  });

  it('has Markdown of the console as HTML and as text, with the quotation in both', async () => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'Is 1 < 2?\r\n<b>Really</b>?');
    await owner.act(`/tickets/${ticket.number}/messages`, { kind: 'reply', body: '**Yes**\n- and & more' });
    const [mail] = await mailsTo(from, 1);

    expect(mail!.text).toContain(`**Yes**\n- and & more\n\n${SIGNED}\nOn `);
    expect(quotedIn(mail!)).toMatch(/ wrote:\n> Is 1 < 2\?\n> <b>Really<\/b>\?\n+$/);
    expect(mail!.html).toContain(
      '<p><strong>Yes</strong></p>\n<ul>\n<li>and &amp; more</li>\n</ul><p>Maya Lind<br>Acme</p>',
    );
    expect(mail!.html).toContain(`Ana Lima &lt;${from}&gt; wrote:</p>`);
    expect(mail!.html).toContain('<blockquote type="cite">Is 1 &lt; 2?<br>&lt;b&gt;Really&lt;/b&gt;?</blockquote>');
  });

  it('is text alone if the console sent text alone', async () => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'Hello?');
    await owner.act(`/tickets/${ticket.number}/messages`, { kind: 'reply', body: 'See https://acme.test <a@b.test>.' });
    const [mail] = await mailsTo(from, 1);

    expect(mail!.text).toMatch(/^See https:\/\/acme\.test <a@b\.test>\.\n\nMaya Lind/);
    expect(mail!.html).toBeUndefined();
  });

  it('quotes at most 10,000 characters, under a header that programs recognise', async () => {
    const from = newEmail();
    const name = `Ana${' very'.repeat(15)} long`;
    const { ticket } = await writtenBy(from, 'Help. '.repeat(4000), { From: `"${name}" <${from}>` });
    await post(ticket.number, 'Which lamp?');
    const [mail] = await mailsTo(from, 1);

    expect(quotedIn(mail!).length).toBeLessThan(10_300);
    expect(HEADER.exec(quotedIn(mail!))![0].length).toBeLessThan(400);
  });

  it('uses the time zone of the account', async () => {
    const from = newEmail();
    const { ticket, message } = await writtenBy(from, 'No light.');
    await desk.sql.query("update messages set sent_at = '2025-03-03T23:30:00Z' where id = $1", [message.id]);
    await desk.sql.query("update accounts set time_zone = 'Asia/Tokyo' where id = $1", [desk.account.id]);
    await post(ticket.number, 'Which lamp?');
    const [mail] = await mailsTo(from, 1);
    await desk.sql.query("update accounts set time_zone = 'UTC' where id = $1", [desk.account.id]);

    expect(quotedIn(mail!)).toContain('On 4 Mar 2025, 08:30, Ana');
  });
});

const inReply = (text: string, prefix = '> ') =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `${prefix}${line}`)
    .join('\r\n');

const TOP = (mail: string, by: string) =>
  `It works!\r\n\r\nOn Sun, 29 Nov 2026 at 10:11, ${by} wrote:\r\n\r\n${inReply(mail)}`;
const BOTTOM = (mail: string, by: string) =>
  `On Sun, 29 Nov 2026 at 10:11, ${by} wrote:\r\n${inReply(mail)}\r\n\r\nIt works!`;
const OUTLOOK = (mail: string, by: string) =>
  `It works!\r\n\r\n________________________________\r\nFrom: ${by}\r\nSent: Sunday\r\nTo: Ana\r\nSubject: Re\r\n\r\n${inReply(mail, '')}`;

describe('an answer to an email that has a quotation', () => {
  it.each([
    ['above it', TOP],
    ['below it', BOTTOM],
    ['above it in Outlook', OUTLOOK],
  ])('has only the new text as reply_text, and the next reply quotes nothing else: %s', async (_, write) => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'No light.');
    await post(ticket.number, 'Turn it off and on.');
    const [mail] = await mailsTo(from, 1);
    const replyTo = mail!.replyTo![0]!.address!;
    const { message } = await writtenBy(from, write(mail!.text!, `Maya Lind <${replyTo}>`), { To: replyTo });
    await post(ticket.number, 'Good.');
    const [, second] = await mailsTo(from, 2);

    expect(message.reply_text).toBe('It works!');
    expect(quotedIn(second!)).toMatch(/^\nOn [^\n]+ wrote:\n> It works!\n$/);
    expect(second!.text).not.toContain(replyTo);
  });

  it('ends where our quotation begins if the program repeats our email without a mark', async () => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'No light.');
    await post(ticket.number, 'Turn it off and on.');
    const [mail] = await mailsTo(from, 1);
    const { message } = await writtenBy(from, `It works!\r\n\r\n${inReply(mail!.text!, '')}`, {
      To: mail!.replyTo![0]!.address!,
    });

    expect(message.reply_text).toBe('It works!\n\nTurn it off and on.\n\nMaya Lind\nAcme');
  });

  it('shows the answer once in the thread, and our email folded', async () => {
    const from = newEmail();
    const { ticket } = await writtenBy(from, 'No light.');
    await owner.act(`/tickets/${ticket.number}/messages`, { kind: 'reply', body: 'Turn it **off**.' });
    const [mail] = await mailsTo(from, 1);
    const html = `<div>It works!</div><div>On Sun, 29 Nov 2026 at 10:11, Maya wrote:<br></div><blockquote>${mail!.html}</blockquote>`;
    await writtenBy(from, html, { To: mail!.replyTo![0]!.address!, 'Content-Type': 'text/html; charset=utf-8' });
    const page = await owner.get(`/tickets/${ticket.number}`);

    expect(page.html.slice(page.html.indexOf('id="thread"')).split('It works!')).toHaveLength(2);
    expect(page.html).toMatch(
      /<details class="quotation"><summary>Quoted text<\/summary><blockquote>.*<strong>off<\/strong>/s,
    );
  });
});
