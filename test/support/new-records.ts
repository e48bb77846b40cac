import type { AccountDesk } from './account-desk.js';
import { addGroup, addMailbox, addSavedReply, inviteAgent, newEmail, startTicket } from './desk-records.js';
import { registerWebhook } from './webhooks.js';
import { insertPastDeliveries } from './past-deliveries.js';

const newTicket = async (desk: AccountDesk): Promise<string> =>
  `${(await startTicket(desk, { tags: ['old'], subject: 'Invoice' })).number}`;

/** Makes a ticket and carries out a call on it. */
const changed =
  (method: string, part = '', body?: object) =>
  async (desk: AccountDesk): Promise<string> => {
    const number = await newTicket(desk);
    await desk.client().send(method, `/v1/tickets/${number}${part}`, body);
    return number;
  };

const newWebhook = async (desk: AccountDesk): Promise<string> => {
  const { id } = await registerWebhook(desk.client(), 'ticket_closed');
  return id as string;
};

/** Makes a record of each kind, or only a new name, and returns what names it in a path. */
export const NEW_RECORDS = {
  name: () => Promise.resolve(newEmail('name').split('@')[0]!),
  ticket: newTicket,
  'closed ticket': changed('PUT', '/state', { state: 'closed' }),
  'snoozed ticket': changed('PUT', '/snoozed_until', { snoozed_until: '2050-05-01T09:00:00Z' }),
  'deleted ticket': changed('DELETE'),
  message: async (desk) =>
    (await desk.client().get(`/v1/tickets/${await newTicket(desk)}/messages`)).body.messages[0].id as string,
  customer: async (desk) => {
    const email = newEmail();
    await desk.client().post('/v1/customers', { email });
    return email;
  },
  agent: async (desk) => (await inviteAgent(desk)).id as string,
  'archived agent': async (desk) => {
    const { id } = await inviteAgent(desk);
    await desk.client().post(`/v1/agents/${id}/archive`);
    return id as string;
  },
  group: async (desk) => (await addGroup(desk)).id as string,
  'saved reply': async (desk) => (await addSavedReply(desk)).id as string,
  mailbox: async (desk) => (await addMailbox(desk)).id as string,
  'mailbox with a server': async (desk) => {
    const { id } = await addMailbox(desk);
    await desk.client().put(`/v1/mailboxes/${id}/smtp`, { host: 'mail.example.com' });
    return id as string;
  },
  webhook: newWebhook,
  delivery: async (desk) => (await insertPastDeliveries(desk, await newWebhook(desk), ['exhausted']))[0]!,
  /** The ids of the webhook and of the replay. */
  replay: async (desk) => {
    const webhook = await newWebhook(desk);
    await insertPastDeliveries(desk, webhook, ['exhausted']);
    return `${webhook} ${(await desk.client().post(`/v1/webhooks/${webhook}/replay`)).body.replay.id}`;
  },
} satisfies Record<string, (desk: AccountDesk) => Promise<string>>;

export type RecordKind = keyof typeof NEW_RECORDS;
