import type { Desk } from './desk.js';
import { postMail, mailText } from './mails.js';
import { formOf, postFiles } from './upload.js';

export type NamedRecords = Readonly<Record<string, string>>;

export async function recordsToName(desk: Desk): Promise<NamedRecords> {
  const client = desk.client();
  const created = async (path: string, body: object) => (await client.post(path, body)).body;
  const { ticket } = await created('/v1/tickets', {
    body: 'Hello',
    from: 'ana@client.test',
    to: desk.account.mailbox.email,
    tags: ['vip'],
  });
  const { message } = await created(`/v1/tickets/${ticket.number}/messages`, { body: 'Yes?' });
  const { body: files } = await postFiles(desk, message.id, formOf([{ name: 'a.txt', bytes: 'a' }]));
  const { group } = await created('/v1/groups', { name: 'Named' });
  const { agent } = await created('/v1/agents', { email: 'noor@acme.test' });
  const { saved_reply: reply } = await created('/v1/saved_replies', { name: 'Named', body: 'Thank you.' });
  const { mailbox } = await created('/v1/mailboxes', { name: 'Named', email: 'named@acme.test' });
  const { webhook } = await created('/v1/webhooks', { event: 'ticket_started', url: 'https://receiver.test/named' });
  const { delivery } = await created(`/v1/webhooks/${webhook.id}/test`, {});
  const { replay } = await created(`/v1/webhooks/${webhook.id}/replay`, {});
  const { body: events } = await client.get('/v1/events?wait=10');
  const { body: mail } = await postMail(desk, mailText());
  return {
    tickets: `${ticket.number}`,
    tags: 'vip',
    customers: 'ana@client.test',
    agents: agent.email,
    groups: group.id,
    saved_replies: reply.id,
    mailboxes: mailbox.id,
    change_mailbox: mailbox.id,
    messages: message.id,
    attachments: files.attachments[0].id,
    webhooks: webhook.id,
    'by-key': 'named',
    deliveries: delivery.id,
    replays: replay.id,
    events: events.events[0].id,
    arrivals: mail.arrival.id,
  };
}

export const wordsFor = (path: string, records: NamedRecords): string[] => {
  const parts = path.split('/');
  return parts.flatMap((part, place) => (part.startsWith('{') ? [records[parts[place - 1]!]!] : []));
};
