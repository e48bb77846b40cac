import type { Desk } from '#test/support/desk.js';
import { mailText } from '#test/support/mails.js';
import type { ExampleRecorder } from './recorder.js';

const TICKET = {
  from: 'jonas@client.example',
  to: 'support@acme.test',
  subject: 'Charged twice for November',
  body: 'Hello, my card was charged twice this month. Could you look into it?',
  tags: ['invoice'],
};

export async function recordTickets(api: ExampleRecorder, desk: Desk): Promise<void> {
  const { body } = await api.post('/v1/tickets', TICKET);
  const { number } = (body as { ticket: { number: number } }).ticket;
  const ticket = `/v1/tickets/${number}`;
  await api.get('/v1/tickets?state=unread&per_page=10&include=customer,messages');
  await api.get('/v1/tickets/count');
  await api.get(ticket);
  await parts(api, ticket);
  await messages(api, ticket, desk);
  await api.patch(ticket, { priority: 'urgent', tags: ['invoice', 'refund'], assigned_group: 'Payments' });
  await api.post('/v1/tickets/batch', { numbers: [number, 999], state: 'closed' });
  await api.delete(ticket);
  await api.post(`${ticket}/restore`);
  const other = await desk.client().post('/v1/tickets', TICKET);
  await api.post(`${ticket}/merge`, { into: other.body.ticket.number });
}

/** An email that is not processed yet, and two quarantined ones. */
export async function recordArrivals(api: ExampleRecorder, desk: Desk): Promise<void> {
  const { body } = await api.get('/v1/mailboxes');
  const { id } = (body as { mailboxes: { id: string }[] }).mailboxes[0]!;
  const arrival = await api.handOverMail(
    id,
    mailText({ From: 'Jonas Weber <jonas@client.example>', 'Message-ID': '<one@client.example>' }),
  );
  await api.get(`/v1/arrivals/${arrival}`);
  const [one, other] = [await hold(), await hold()];
  await api.get('/v1/arrivals');
  await api.post(`/v1/arrivals/${one}/release`);
  await api.post(`/v1/arrivals/${other}/discard`);

  async function hold(): Promise<string> {
    const held = await api.handOverMail(id, mailText({ From: 'Noor Berg <noor@acme.example>' }));
    await desk.sql.query(
      `update arrivals set state = 'quarantined', reason = 'agent_address', sender = 'noor@acme.example',
         subject = 'The printer is on fire', preview = 'It started this morning.', processed_at = created_at where id = $1`,
      [held],
    );
    return held;
  }
}

async function parts(api: ExampleRecorder, ticket: string): Promise<void> {
  const values = {
    state: 'opened',
    assignee: 'noor@acme.example',
    assigned_group: 'Payments',
    priority: 'high',
    mailbox: 'Payments',
    title: 'Charged twice',
    snoozed_until: '2030-01-07T09:00:00.000Z',
  };
  for (const [part, value] of Object.entries(values)) {
    await api.put(`${ticket}/${part}`, { [part]: value });
    await api.get(`${ticket}/${part}`);
  }
  await api.post(`${ticket}/tags`, { tags: ['refund'] });
  await api.get(`${ticket}/tags`);
  await api.delete(`${ticket}/tags/refund`);
  await api.put(`${ticket}/tags`, { tags: ['invoice', 'refund'] });
  const { body } = await api.get('/v1/mailboxes');
  const { id } = (body as { mailboxes: { id: string }[] }).mailboxes[0]!;
  await api.post(`${ticket}/change_mailbox/${id}`);
}

async function messages(api: ExampleRecorder, ticket: string, desk: Desk): Promise<void> {
  await desk.sql.query('update mailboxes set replies_by_mail = true');
  const { body } = await api.post(`${ticket}/messages`, { body: 'The second charge is on its way back to you.' });
  const { id } = (body as { message: { id: string } }).message;
  await api.get(`${ticket}/messages`);
  await api.get(`/v1/messages/${id}`);
  await api.get('/v1/messages?updated_since=2026-01-31');
  await api.upload(id, { name: 'invoice.txt', bytes: 'Invoice 1042: 49 €' });
  const list = await api.get(`/v1/attachments?message=${id}`);
  await api.get(`/v1/attachments/${(list.body as { attachments: { id: string }[] }).attachments[0]!.id}`);
  await desk.sql.query("update outgoing_mails set state = 'failed', reason = '550 5.1.1 No such user'");
  await api.post(`/v1/messages/${id}/send_again`);
}
