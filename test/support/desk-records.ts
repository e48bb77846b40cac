import type { ApiResponse } from './api-client.js';
import type { AccountDesk as Desk } from './account-desk.js';

export const newEmail = (() => {
  let count = 0;
  return (name = 'customer'): string => `${name}-${++count}@client.test`;
})();

export async function startTicket(desk: Desk, fields: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  const wanted = { body: 'I cannot sign in.', from: newEmail(), to: desk.account.mailbox.email, ...fields };
  return created(await desk.client().post('/v1/tickets', wanted)).ticket;
}

/** Two tickets of one customer. */
export async function twoTickets(desk: Desk, ofSecond: Record<string, unknown> = {}) {
  const from = newEmail();
  const kept = await startTicket(desk, { from, body: 'First.' });
  const gone = await startTicket(desk, { from, body: 'Second.', ...ofSecond });
  return { from, kept: kept.number as number, gone: gone.number as number };
}

export async function ticketFromAna(desk: Desk, fields: Record<string, unknown> = {}): Promise<number> {
  return (await startTicket(desk, { body: 'Hello', from: 'ana@client.example', ...fields })).number as number;
}

export async function inviteAgent(desk: Desk, fields: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  const wanted = { email: newEmail('agent'), first_name: 'Noor', last_name: 'Berg', ...fields };
  return created(await desk.client().post('/v1/agents', wanted)).agent;
}

export async function addGroup(desk: Desk, fields: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  return created(await desk.client().post('/v1/groups', { name: newEmail('Group'), ...fields })).group;
}

export async function addSavedReply(desk: Desk, fields: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  const wanted = { name: newEmail('reply'), body: 'Thank you.', shared: true, ...fields };
  return created(await desk.client().post('/v1/saved_replies', wanted)).saved_reply;
}

export async function addMailbox(desk: Desk, fields: Record<string, unknown> = {}): Promise<ApiResponse['body']> {
  const email = newEmail('mailbox');
  return created(await desk.client().post('/v1/mailboxes', { name: email.split('@')[0], email, ...fields })).mailbox;
}

/** The number of deliveries of the webhook in this state: delivered, retrying, given_up. */
export async function deliveriesStanding(desk: Desk, webhookId: string, word: string): Promise<number> {
  return (await desk.client().get(`/v1/webhooks/${webhookId}/deliveries?standing=${word}`)).body.deliveries.length;
}

function created({ status, body, text }: ApiResponse): ApiResponse['body'] {
  if (status !== 201) throw new Error(`not created: ${status} ${text}`);
  return body;
}
