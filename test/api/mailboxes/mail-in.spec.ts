import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, inviteAgent, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, postMail, processed } from '#test/support/mails.js';
import { seedAccount } from '#test/support/seed.js';

const desk = deskForFile();
beforeAll(() => desk.worker());

const kindsOf = async (ticket: { number: number }): Promise<string[]> =>
  (
    await desk.sql.query<{ kind: string }>(
      'select a.kind from activities a join tickets t on t.id = a.ticket_id where t.number = $1 order by a.id',
      [ticket.number],
    )
  ).rows.map(({ kind }) => kind);

describe('a submitted mail', () => {
  it('starts a ticket, and its sender becomes a customer', async () => {
    const from = newEmail();
    const { arrival, ticket, message } = await processed(desk, mailText({ From: `Ana Maria Lima <${from}>` }));
    const { customer } = (await desk.client().get(`/v1/customers/${from}`)).body;

    expect(arrival).toMatchObject({ state: 'processed', source: 'api', reason: null });
    expect(ticket).toMatchObject({ title: 'The printer is on fire', state: 'unread', message_count: 1 });
    expect(message).toMatchObject({ body: 'It started this morning.', channel: 'email', agent_response: false });
    expect(message.links.author.href).toContain(from);
    expect(customer).toMatchObject({ first_name: 'Ana Maria', last_name: 'Lima' });
    expect(await kindsOf(ticket)).toEqual(['ticket_started']);
  });

  it('reaches webhooks with its files', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_replied', receiver.url);
    const first = newMailId();
    await processed(desk, mailText({ 'Message-ID': first }));
    const body = [
      '--edge',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'See the file.',
      '--edge',
      'Content-Type: text/csv',
      'Content-Disposition: attachment; filename="list.csv"',
      'Content-Transfer-Encoding: base64',
      '',
      'YTti',
      '--edge--',
    ].join('\r\n');
    const type = 'multipart/mixed; boundary=edge';
    const { message } = await processed(desk, mailText({ 'In-Reply-To': first, 'Content-Type': type }, body));
    const request = await eventually(() => receiver.requests[0]);

    expect(message.attachments).toMatchObject([{ name: 'list.csv', content_type: 'text/csv', size: 3 }]);
    expect(request.json['attachments']).toMatchObject([{ name: 'list.csv', size: 3 }]);
  });

  it('joins the ticket that it answers, and reopens it', async () => {
    const first = newMailId();
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    await desk.client().put(`/v1/tickets/${ticket.number}/state`, { state: 'closed' });
    const references = `<unknown@elsewhere.test> ${first}`;
    const answer = await processed(desk, mailText({ Subject: 'Another subject', References: references }));

    expect(answer.ticket).toMatchObject({ number: ticket.number, state: 'unread', message_count: 2 });
    expect(await kindsOf(ticket)).toEqual(['ticket_started', 'ticket_closed', 'customer_replied']);
  });

  it('joins no ticket by its subject', async () => {
    const { ticket } = await processed(desk, mailText());
    const other = await processed(desk, mailText({ Subject: `Re: [#${ticket.number}] The printer is on fire` }));

    expect(other.ticket.number).not.toBe(ticket.number);
  });

  it('starts a new ticket when the ticket that it answers is deleted', async () => {
    const first = newMailId();
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    await desk.client().delete(`/v1/tickets/${ticket.number}`);
    const answer = await processed(desk, mailText({ 'In-Reply-To': first }));

    expect(answer.ticket.number).not.toBe(ticket.number);
    expect(await kindsOf(answer.ticket)).toContain('deleted_ticket_answered');
  });

  it('counts once, with additional headers or other line endings too', async () => {
    const mail = mailText();
    const { ticket } = await processed(desk, mail);
    const again = await processed(desk, `Received: from mx.client.test by mx.desk.test\r\n${mail}`);
    const unixLines = await processed(desk, mail.replaceAll('\r\n', '\n'));

    expect([again.arrival.state, unixLines.arrival.state]).toEqual(['duplicate', 'duplicate']);
    expect((await desk.client().get(`/v1/tickets/${ticket.number}`)).body.ticket.message_count).toBe(1);
  });

  it('counts once when it is submitted many times at once, with two workers', async () => {
    await desk.worker();
    const from = newEmail();
    const mail = mailText({ From: from });
    const all = await Promise.all(Array.from({ length: 8 }, () => processed(desk, mail)));

    const states = all.map(({ arrival }) => arrival.state as string).toSorted();
    expect(states).toEqual([...Array<string>(7).fill('duplicate'), 'processed']);
    const { tickets } = (await desk.client().get(`/v1/tickets?customer=${from}`)).body;
    expect(tickets).toHaveLength(1);
  });

  it('counts as another email when its content differs under the same Message-ID', async () => {
    const id = newMailId();
    const one = await processed(desk, mailText({ 'Message-ID': id }));
    const other = await processed(desk, mailText({ 'Message-ID': id }, 'And now the second floor.'));

    expect(other.ticket.number).not.toBe(one.ticket.number);
  });

  it('starts a ticket in each of two mailboxes', async () => {
    const mailbox = await addMailbox(desk);
    const mail = mailText({ From: newEmail() });
    const one = await processed(desk, mail);
    const other = await processed(desk, mail, { mailbox: mailbox.email });

    expect([one, other].map(({ arrival }) => arrival.state)).toEqual(['processed', 'processed']);
    expect(other.ticket).toMatchObject({ mailbox: mailbox.name, message_count: 1 });
    expect(other.ticket.number).not.toBe(one.ticket.number);
  });

  it('shows the sender checks of the mailbox’s own server, and no others', async () => {
    const { id } = await addMailbox(desk, { authserv_id: 'mx.acme.test' });
    const trusted = 'mx.acme.test; spf=pass smtp.mailfrom=a.test; dmarc=pass';
    const headers = { From: newEmail(), 'Authentication-Results': trusted };
    const told = async (mailbox: string, more: Record<string, string>) =>
      (await processed(desk, mailText({ ...headers, ...more }), { mailbox })).arrival.verdicts as unknown;
    const byAgent = await told(id, { From: desk.account.owner.email });

    expect(await told(id, {})).toEqual({ spf: 'pass', dkim: null, dmarc: 'pass' });
    expect(await told(id, { 'Authentication-Results': 'mx.evil.test; dmarc=pass' })).toBeNull();
    expect(await told(desk.account.mailbox.id, {})).toBeNull();
    expect(byAgent).toEqual({ spf: 'pass', dkim: null, dmarc: 'pass' });
  });

  it('never speaks as an agent', async () => {
    const agent = await inviteAgent(desk);
    const first = newMailId();
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    const forged = await processed(desk, mailText({ From: `Noor Berg <${agent.email}>`, 'In-Reply-To': first }));

    expect(forged.arrival).toMatchObject({ state: 'quarantined', reason: 'agent_address' });
    expect((await desk.client().get(`/v1/tickets/${ticket.number}`)).body.ticket.message_count).toBe(1);
    expect((await desk.client().get(`/v1/customers/${agent.email}`)).status).toBe(404);
  });

  it('joins its ticket without reopening it when it was sent automatically', async () => {
    const first = newMailId();
    const { ticket } = await processed(desk, mailText({ 'Message-ID': first }));
    await desk.client().put(`/v1/tickets/${ticket.number}/state`, { state: 'closed' });
    const headers = { 'In-Reply-To': first, 'Auto-Submitted': 'auto-replied' };
    const answer = await processed(desk, mailText(headers, 'I am away until Monday.'));

    expect(answer.ticket).toMatchObject({ number: ticket.number, state: 'closed', message_count: 2 });
    expect(await kindsOf(ticket)).toEqual(['ticket_started', 'ticket_closed', 'automatic_mail_came']);
  });

  it('joins its ticket as automatic mail does, after twenty emails of its customer within an hour', async () => {
    const [first, from, boss] = [newMailId(), newEmail(), newEmail()];
    const { ticket } = await processed(desk, mailText({ From: from, Cc: boss, 'Message-ID': first }));
    const answer = (headers = {}) => processed(desk, mailText({ From: from, 'In-Reply-To': first, ...headers }));
    for (let count = 2; count < 20; count++) await answer();
    await Promise.all([answer(), answer()]);
    await desk.client().put(`/v1/tickets/${ticket.number}/state`, { state: 'closed' });
    const quiet = await answer();
    const ofAnother = await answer({ From: boss, Cc: from });
    const kinds = await kindsOf(ticket);

    expect(quiet.ticket).toMatchObject({ number: ticket.number, state: 'closed', message_count: 22 });
    expect(ofAnother.ticket).toMatchObject({ number: ticket.number, state: 'unread', message_count: 23 });
    expect(kinds.filter((kind) => kind === 'customer_replied')).toHaveLength(20);
    expect(kinds.filter((kind) => kind === 'automatic_mail_came')).toHaveLength(2);
  });

  it('keeps the name of a known customer', async () => {
    const from = newEmail();
    await desk.client().post('/v1/customers', { email: from, first_name: 'Ana', last_name: 'Lima' });
    await processed(desk, mailText({ From: `Somebody Else <${from}>` }));

    expect((await desk.client().get(`/v1/customers/${from}`)).body.customer.name).toBe('Ana Lima');
  });

  it('goes to quarantine when its sender has started twenty tickets within an hour', async () => {
    const from = newEmail();
    for (let n = 0; n < 20; n++) await processed(desk, mailText({ From: from }));
    const { arrival } = await processed(desk, mailText({ From: from }));

    expect(arrival).toMatchObject({ state: 'quarantined', reason: 'too_many' });
  });

  it('becomes a ticket with the original file when it cannot be parsed', async () => {
    const deep = Array.from(
      { length: 60 },
      (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n`,
    );
    const mail = mailText({ 'Content-Type': 'multipart/mixed; boundary=b0' }, deep.join('\r\n'));
    const { arrival, ticket, message } = await processed(desk, mail);

    expect(arrival).toMatchObject({ state: 'unreadable', reason: 'malformed' });
    expect(ticket.title).toBe('Unreadable email');
    expect(message.attachments).toMatchObject([
      { name: 'mail.eml', content_type: 'message/rfc822', size: mail.length },
    ]);
    const bytes = await (
      await fetch((message.attachments[0].url as string).replace(/^https?:\/\/[^/]+/, desk.base))
    ).text();
    expect(bytes).toBe(mail);
  });

  it.each([
    ['no sender', { From: null }],
    ['no subject, id or date', { Subject: null, 'Message-ID': null, Date: null }],
    ['an invalid sender', { From: 'nobody in particular' }],
  ])('becomes a ticket with %s', async (_what, headers) => {
    const { arrival, ticket } = await processed(desk, mailText(headers, `Say ${newMailId()}`));

    expect(arrival.state).toBe('processed');
    expect(ticket.message_count).toBe(1);
  });
});

describe('the route for emails', () => {
  it('refuses other types, empty bodies, and emails larger than 50 MiB', async () => {
    const large = Buffer.alloc(50 * 1024 * 1024 + 1, 'x');

    expect((await postMail(desk, '{}', { type: 'application/json' })).status).toBe(415);
    expect((await postMail(desk, '')).status).toBe(422);
    expect((await postMail(desk, large)).body).toMatchObject({ status: 413, error: 'mail_too_large' });
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('removes the bytes of an aborted upload, and logs no error', async () => {
    const api = await desk.apiProcess({ LOG_LEVEL: 'error' });
    const upload = http.request(new URL(`/v1/mailboxes/${desk.account.mailbox.email}/raw`, api.base), {
      method: 'POST',
      headers: { authorization: `Bearer ${desk.account.owner.token}`, 'content-type': 'message/rfc822' },
    });
    upload.on('error', () => undefined);
    upload.write(mailText());
    const kept = async (): Promise<number | null> => (await desk.sql.query('select from stray_files')).rowCount;
    await eventually(async () => (await kept()) === 1);
    upload.destroy();
    await eventually(async () => (await kept()) === 0);

    await api.stop();
    expect(api.output()).not.toContain('request failed');
  });

  it('accepts emails alone: other routes return 415', async () => {
    const headers = { authorization: `Bearer ${desk.account.owner.token}`, 'content-type': 'message/rfc822' };
    const answer = await fetch(new URL('/v1/tickets', desk.base), { method: 'POST', headers, body: mailText() });

    expect(answer.status).toBe(415);
  });

  it('returns 404 for a mailbox of another account', async () => {
    const other = await seedAccount(desk.sql);
    const { mailbox } = (
      await desk.client(other.owner.token).post('/v1/mailboxes', { name: 'Theirs', email: newEmail('theirs') })
    ).body;

    for (const name of [mailbox.email, mailbox.id] as string[])
      expect((await postMail(desk, mailText(), { mailbox: name })).status).toBe(404);
    expect((await postMail(desk, mailText(), { mailbox: mailbox.email, token: other.owner.token })).status).toBe(202);
  });

  it('processes different emails with the same Idempotency-Key separately', async () => {
    const [one, other] = [mailText(), mailText()];
    const became = [];
    // One after the other: an email that has to be retried lets later ones overtake it.
    for (const mail of [one, other, one]) became.push((await processed(desk, mail, { key: 'the-same' })).arrival.state);

    expect(became).toEqual(['processed', 'processed', 'duplicate']);
  });
});
