import { describe, expect, it } from 'vitest';
import { addMailbox, inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { becomes, startMailDesk } from './mail-desk.js';

const { desk, hop, mailbox } = await startMailDesk({ MAIL_FROM: 'Deskwire <desk@acme.test>' });
const other: { email: string } = await addMailbox(desk);

const incoming = (headers: Record<string, string | null>) =>
  processed(desk, mailText({ To: mailbox.email, ...headers }), { mailbox: mailbox.email });
const TOKEN = `7.${'0'.repeat(16)}`;
const withTag = (email: string, tag: string): string => email.replace('@', `+${tag}@`);
const inCopy = async (number: number): Promise<string[]> =>
  (await desk.sql.query<{ cc: string[] }>('select cc_addresses as cc from tickets where number = $1', [number]))
    .rows[0]!.cc;
const post = async (number: number, fields: Record<string, unknown>) =>
  desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Here it is.', ...fields });

/** Returns the sorted recipients of the emails with this message. */
async function sentTo(id: string, count: number): Promise<string[]> {
  await eventually(() => hop.taken.filter(({ raw }) => raw.includes(`<${id}@`)).length >= count, { withinMs: 20_000 });
  return hop.taken
    .filter(({ parsed }) => parsed.messageId === `<${id}@localhost>`)
    .map(({ to }) => to)
    .toSorted();
}

describe('an email to several people', () => {
  it('stores To and Cc with its message, and copies the next reply to the others', async () => {
    const [carl, boss, sales] = [newEmail(), newEmail(), newEmail()];
    const { ticket, message } = await incoming({
      From: carl,
      To: `Support <${mailbox.email}>, ${sales}`,
      Cc: `"Boss, The" <${boss.toUpperCase()}>, ${boss}, ${carl}`,
    });

    expect([message.to, message.cc]).toEqual([
      [mailbox.email, sales],
      [boss, carl],
    ]);
    expect(await inCopy(ticket.number)).toEqual([sales, boss]);
  });

  it.each<[string, Record<string, string>]>([
    ['addresses of mailboxes, with and without a tag', { Cc: `PERSON, ${other.email}, ${withTag(other.email, 'eu')}` }],
    ['a signed address of the desk', { Cc: `PERSON, ${withTag(mailbox.email, TOKEN)}` }],
    ['the sender of the installation', { Cc: 'PERSON, desk@acme.test' }],
    ['agents', { Cc: 'PERSON, AGENT' }],
    ['unattended addresses', { Cc: 'PERSON, no-reply@shop.test, bounces+17@shop.test, mailer-daemon@mx.test' }],
    [
      'an alias, as the server that forwards it says',
      { Cc: 'PERSON, info@acme.test', 'X-Original-To': 'info@acme.test' },
    ],
    ['the address of a mailing list', { Cc: 'PERSON, talk@lists.test', 'List-Post': '<mailto:talk@lists.test>' }],
    ['the same person twice, in other letters', { To: `${mailbox.email}, UPPER`, Cc: 'PERSON' }],
    ['text that is not an address', { Cc: `nobody in particular, @, PERSON, ${'x'.repeat(300)}@long.test` }],
    ['the name of a group', { Cc: 'Friends: PERSON;, undisclosed-recipients:;' }],
  ])('leaves %s out of Cc', async (_, headers) => {
    const [person, agent] = [newEmail(), newEmail()];
    await inviteAgent(desk, { email: agent });
    const written = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('PERSON', person).replace('UPPER', person.toUpperCase()).replace('AGENT', agent),
    ]);
    const { ticket } = await incoming({ From: newEmail(), ...Object.fromEntries(written) });

    expect(await inCopy(ticket.number)).toEqual([person]);
  });

  it.each([
    ['that a program wrote', { 'Auto-Submitted': 'auto-replied' }],
    ['that came through a mailing list', { 'List-Id': '<talk.lists.test>' }],
    ['in bulk', { Precedence: 'bulk' }],
  ])('adds no Cc for an email %s', async (_, headers) => {
    const { ticket, message } = await incoming({ From: newEmail(), Cc: newEmail(), ...headers });

    expect(message.cc).toHaveLength(1);
    expect(await inCopy(ticket.number)).toEqual([]);
  });

  it('adds no Cc after an email to a thousand people, and stores fifty of them', async () => {
    const all = Array.from({ length: 1000 }, (_, place) => `victim-${place}@many.test`);
    const { ticket, message } = await incoming({ From: newEmail(), Cc: all.join(',\r\n ') });

    expect(message.cc).toEqual(all.slice(0, 50));
    expect(await inCopy(ticket.number)).toEqual([]);
  });

  it('keeps addresses in other scripts', async () => {
    const { ticket, message } = await incoming({
      From: newEmail(),
      Cc: 'jörg@bücher.example, ann@xn--bcher-kva.example',
    });

    expect(message.cc).toEqual(['jörg@bücher.example', 'ann@xn--bcher-kva.example']);
    expect(await inCopy(ticket.number)).toEqual(message.cc);
  });

  it('removes tokens from the addresses that it shows', async () => {
    const token = withTag(mailbox.email, TOKEN);
    const { message } = await incoming({ From: newEmail(), To: token });

    expect(message.to).toEqual([mailbox.email]);
  });

  it('adds people who write later, and drops those missing from a later email', async () => {
    const [carl, boss, dora, id] = [newEmail(), newEmail(), newEmail(), newMailId()];
    const { ticket } = await incoming({ From: carl, Cc: boss, 'Message-ID': id });
    const answer = await incoming({ From: boss, To: `${mailbox.email}, ${carl}`, Cc: dora, 'In-Reply-To': id });
    const joined = await inCopy(ticket.number);
    await incoming({ From: carl, 'In-Reply-To': id, 'Auto-Submitted': 'auto-replied' });
    const afterProgram = await inCopy(ticket.number);
    await incoming({ From: carl, 'In-Reply-To': id });

    expect(answer.ticket.number).toBe(ticket.number);
    expect([joined, afterProgram]).toEqual([
      [boss, dora],
      [boss, dora],
    ]);
    expect(await inCopy(ticket.number)).toEqual([]);
  });
});

describe('an email to a mailbox that names its server', () => {
  it('neither adds nor removes people in copy of a ticket if DMARC failed', async () => {
    const [carl, boss, id] = [newEmail(), newEmail(), newMailId()];
    const checked = await addMailbox(desk, { authserv_id: 'mx.acme.test' });
    const judged = (verdict: string, headers: Record<string, string>) => {
      const results = `mx.acme.test; dmarc=${verdict}`;
      const mail = mailText({ 'Authentication-Results': results, To: checked.email, From: carl, ...headers });
      return processed(desk, mail, { mailbox: checked.email });
    };
    const { ticket } = await judged('pass', { Cc: boss, 'Message-ID': id });
    const answer = await judged('fail', { Cc: 'thief@evil.test', 'In-Reply-To': id });

    expect(answer.ticket).toMatchObject({ number: ticket.number, message_count: 2 });
    expect(await inCopy(ticket.number)).toEqual([boss]);
  });
});

describe('a reply over REST', () => {
  it('goes to the customer alone by default', async () => {
    const [carl, boss] = [newEmail(), newEmail()];
    const { ticket } = await incoming({ From: carl, Cc: boss });
    const { message } = (await post(ticket.number, {})).body;

    expect([message.to, message.cc]).toEqual([[carl], []]);
    expect(await sentTo(message.id, 1)).toEqual([carl]);
    expect(await inCopy(ticket.number)).toEqual([boss]);
  });

  it('goes to each address in Cc in a separate mail that names all, and to webhooks with its recipients', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('agent_replied', receiver.url);
    const [carl, boss, dora] = [newEmail(), newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: carl, mailbox: mailbox.name });
    const { status, body } = await post(number, { cc: [boss, dora.toUpperCase(), boss, carl] });
    const { message } = body;

    expect([status, message.to, message.cc]).toEqual([201, [carl], [boss, dora]]);
    expect(await sentTo(message.id, 3)).toEqual([carl, boss, dora].toSorted());
    const mails = hop.taken.filter(({ parsed }) => parsed.messageId === `<${message.id}@localhost>`);
    for (const { parsed } of mails)
      expect([parsed.to, parsed.cc].map((people) => people?.map(({ address }) => address))).toEqual([
        [carl],
        [boss, dora],
      ]);
    expect(new Set(mails.map(({ from }) => from)).size).toBe(3);
    await becomes(desk, message.id, 'sent');
    expect((await receiver.received(1))[0]!.json).toMatchObject({ to: [carl], cc: [boss, dora] });
  });

  it.each([
    ['with a non-ASCII local part', (email: string) => `jörg-${email}`],
    ['without a real address', (email: string) => email.replace('client.test', 'mail.invalid')],
  ])('leaves a customer %s out of the copies to others', async (_, addressOf) => {
    const [boss, dora] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: addressOf(newEmail()), mailbox: mailbox.name });
    await post(number, { cc: [boss, dora] });
    const { parsed } = await hop.mailTo(boss);

    expect([parsed.to, parsed.cc].map((people) => people?.map(({ address }) => address))).toEqual([[boss], [dora]]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['text that is not an address', { cc: ['nobody'] }, 'not_an_email'],
    ['no list', { cc: 5 }, 'not_a_list'],
    ['more than twenty', { cc: Array.from({ length: 21 }, (_, n) => `p${n}@client.test`) }, 'too_many'],
    ['an address of a line break', { cc: ['a@client.test\r\nBcc: b@client.test'] }, 'not_an_email'],
    ['the address of a mailbox', { cc: [other.email] }, 'own_address'],
    ['the tagged address of a mailbox', { cc: [withTag(other.email, 'x')] }, 'own_address'],
    ['a signed address', { cc: [withTag(mailbox.email, TOKEN)] }, 'own_address'],
    ['anybody for a note', { cc: ['a@client.test'], note: true }, 'cc_of_note'],
  ])('rejects %s', async (_, fields, code) => {
    const { number } = await startTicket(desk, { mailbox: mailbox.name });
    const { status, body } = await post(number, fields);

    expect([status, body.errors[0].field.replace(/[.[]\d.*$/, ''), body.errors[0].code]).toEqual([422, 'cc', code]);
  });

  it('names the recipients of a customer’s message, and sends no email', async () => {
    const [carl, boss] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: carl, mailbox: mailbox.name });
    const { message } = (await post(number, { author: carl, cc: [boss] })).body;

    expect([message.to, message.cc, message.delivery]).toEqual([[], [boss], null]);
    expect(await inCopy(number)).toEqual([boss]);
  });
});
