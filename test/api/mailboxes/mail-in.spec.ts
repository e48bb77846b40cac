import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { activitiesOf } from '#test/support/activities.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, inviteAgent, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, multipartMail, newMailId, postMail, processed } from '#test/support/mails.js';

const desk = deskForFile();
beforeAll(() => desk.worker());

const kindsOf = async ({ number }: { number: number }): Promise<string[]> =>
  (await activitiesOf(desk, number)).map(({ kind }) => kind);

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
    const csv = ['Content-Type: text/csv', 'Content-Disposition: attachment; filename="list.csv"'];
    const parts = [{ body: 'See the file.' }, { headers: csv, body: 'a;b' }];
    const { message } = await processed(desk, multipartMail(parts, { headers: { 'In-Reply-To': first } }));
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

  it('starts a ticket that needs no reply when it was sent automatically', async () => {
    const written = await processed(desk, mailText());
    const automatic = await processed(desk, mailText({ 'Auto-Submitted': 'auto-replied' }, 'I am away until Monday.'));
    const { body } = await desk.client().get('/v1/tickets?folder=needs_reply');
    const numbers = body.tickets.map(({ number }: { number: number }) => number);

    expect(automatic.ticket.state).toBe('unread');
    expect(numbers).toContain(written.ticket.number);
    expect(numbers).not.toContain(automatic.ticket.number);
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

  it('processes different emails with the same Idempotency-Key separately', async () => {
    const [one, other] = [mailText(), mailText()];
    const became = [];
    // One after the other: an email that has to be retried lets later ones overtake it.
    for (const mail of [one, other, one]) became.push((await processed(desk, mail, { key: 'the-same' })).arrival.state);

    expect(became).toEqual(['processed', 'processed', 'duplicate']);
  });
});
