import { beforeAll, describe, expect, it } from 'vitest';
import { newReturnToken } from '#libs/entities';
import { ReplyAddressesService } from '#libs/tickets';
import { deskForFile } from '#test/support/desk-for-file.js';
import { inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText, multipartMail, processed, unreadableMail } from '#test/support/mails.js';

const desk = deskForFile();
let signed: string;
let shown: string;
beforeAll(async () => {
  await desk.worker();
  const { number } = await startTicket(desk);
  shown = desk.account.mailbox.email;
  signed = new ReplyAddressesService(desk.settings).of(shown, desk.account.id, number);
});

/** Returns all that the API shows of an email: its arrival, ticket, message and files. */
async function everythingOf(mail: string): Promise<string> {
  const { arrival, ticket, message } = await processed(desk, mail);
  const files = await Promise.all(
    ((message?.attachments ?? []) as { url: string }[]).map(async ({ url }) =>
      (await fetch(url.replace(desk.settings.PUBLIC_URL, desk.base))).text(),
    ),
  );
  return JSON.stringify([arrival, ticket, message, files]);
}

const token = (): string => signed.slice(signed.indexOf('+') + 1, signed.indexOf('@'));

const html = (address: string): string =>
  `<p>Hello</p><blockquote><a href="mailto:${encodeURIComponent(address)}">${address}</a></blockquote>`;

const withFile = (type: string, body: string): string =>
  multipartMail([{ body: 'See the file.' }, { headers: [`Content-Type: ${type}`], body }], {
    headers: { From: newEmail() },
  });

describe('an email that quotes a signed address', () => {
  it.each<[string, () => string]>([
    ['its text', () => mailText({ From: newEmail() }, `Thanks.\r\n\r\n> To: <${signed}>`)],
    ['its HTML', () => mailText({ From: newEmail(), 'Content-Type': 'text/html' }, html(signed))],
    ['its subject', () => mailText({ From: newEmail(), Subject: `Undelivered: ${signed}` })],
    ['its recipients', () => mailText({ From: newEmail(), To: shown, Cc: `${signed}, ${newEmail()}` })],
    ['an automatic reply', () => mailText({ From: newEmail(), 'Auto-Submitted': 'auto-replied' }, `To ${signed}`)],
    ['the name of its file', () => withFile(`application/pdf; name="To ${signed}.pdf"`, 'bytes')],
    ['an email attached to it', () => withFile('message/rfc822', `Subject: Old\r\nReply-To: ${signed}\r\n\r\nOn it.`)],
  ])('shows the mailbox instead in %s', async (_, mail) => {
    const everything = await everythingOf(mail());

    expect(everything).not.toContain(token());
    expect(everything.replaceAll('%40', '@')).toContain(shown);
  });

  it('shows the mailbox instead in quarantine', async () => {
    const { email } = await inviteAgent(desk);
    const { arrival } = await processed(desk, mailText({ From: email, Subject: `Re: ${signed}` }, `To ${signed}`));

    expect(arrival).toMatchObject({ state: 'quarantined', subject: `Re: ${shown}`, text: `To ${shown}` });
  });

  it('shows the mailbox instead when it cannot be parsed and is attached', async () => {
    const everything = await everythingOf(unreadableMail({ From: newEmail(), To: signed }));

    expect(everything).toContain('Unreadable email');
    expect(everything).toContain(`To: ${shown}`);
    expect(everything).not.toContain(token());
  });

  it('joins the ticket of the address all the same', async () => {
    const { ticket } = await processed(desk, mailText({ From: newEmail(), To: signed }, `To ${signed}`));

    expect(signed).toContain(`+${ticket.number}.`);
  });

  it('reaches webhooks and the search without the token', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('ticket_started', receiver.url);
    const word = `quotation${newReturnToken()}`;
    await processed(desk, mailText({ From: newEmail() }, `${word} ${signed}`));
    const [delivered] = await receiver.received(1);
    const found = await desk.client().get(`/v1/tickets?q=${word}`);

    expect(JSON.stringify([delivered!.json, found.body])).not.toContain(token());
    expect(found.body.tickets[0].summary).toBe(`${word} ${shown}`);
  });
});

describe('an address that is not signed', () => {
  it('stays in an email', async () => {
    const address = 'ana+42.news@example.com';

    expect(await everythingOf(mailText({ From: newEmail() }, `Write to ${address}`))).toContain(address);
  });
});

describe('a message written over the API', () => {
  it('keeps its body byte for byte', async () => {
    const body = `Write to ${signed}`;
    const { number } = await startTicket(desk, { body });
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;

    expect(messages[0].body).toBe(body);
  });
});
