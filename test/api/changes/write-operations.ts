import type { ApiClient, ApiResponse } from '#test/support/api-client.js';
import { newEmail } from '#test/support/desk-records.js';
import { sendFile } from '#test/support/upload.js';

type Write = (client: ApiClient, make: Records) => Promise<ApiResponse>;

/** Makes records through the API, for operations to change. */
export class Records {
  constructor(
    private readonly client: ApiClient,
    readonly mailbox: string,
  ) {}

  async ticket(fields: object = {}): Promise<number> {
    const wanted = { body: 'Help', from: newEmail(), to: this.mailbox, ...fields };
    return (await this.created('/v1/tickets', wanted)).ticket.number as number;
  }
  async message(): Promise<string> {
    return (await this.created(`/v1/tickets/${await this.ticket()}/messages`, { body: 'Answer' })).message.id as string;
  }
  async customer(): Promise<string> {
    return (await this.created('/v1/customers', { email: newEmail() })).customer.email as string;
  }
  async agent(): Promise<string> {
    const wanted = { email: newEmail('agent'), first_name: 'Noor', last_name: 'Berg' };
    return (await this.created('/v1/agents', wanted)).agent.email as string;
  }
  async group(): Promise<string> {
    return (await this.created('/v1/groups', { name: newEmail('Group') })).group.id as string;
  }
  async aMailbox(): Promise<string> {
    const email = newEmail('mailbox');
    return (await this.created('/v1/mailboxes', { name: email, email })).mailbox.id as string;
  }
  async deletedTicket(): Promise<number> {
    const number = await this.ticket();
    await this.client.delete(`/v1/tickets/${number}`);
    return number;
  }
  async archivedAgent(): Promise<string> {
    const email = await this.agent();
    await this.client.post(`/v1/agents/${email}/archive`);
    return email;
  }

  private async created(path: string, body: object): Promise<ApiResponse['body']> {
    const answer = await this.client.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }
}

/** A call for each operation that changes a record, by method and path of the OpenAPI document. */
export const WRITES: Readonly<Record<string, Write>> = {
  'POST /v1/tickets': (c, make) => c.post('/v1/tickets', { body: 'Hi', from: newEmail(), to: make.mailbox }),
  'POST /v1/tickets/batch': async (c, make) =>
    c.post('/v1/tickets/batch', { numbers: [await make.ticket(), await make.ticket()], state: 'closed' }),
  'PATCH /v1/tickets/{number}': async (c, make) => c.patch(`/v1/tickets/${await make.ticket()}`, { title: 'New' }),
  'DELETE /v1/tickets/{number}': async (c, make) => c.delete(`/v1/tickets/${await make.ticket()}`),
  'POST /v1/tickets/{number}/restore': async (c, make) => c.post(`/v1/tickets/${await make.deletedTicket()}/restore`),
  'PUT /v1/tickets/{number}/state': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/state`, { state: 'spam' }),
  'PUT /v1/tickets/{number}/assignee': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/assignee`, { assignee: await make.agent() }),
  'PUT /v1/tickets/{number}/assigned_group': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/assigned_group`, { group: await make.group() }),
  'PUT /v1/tickets/{number}/priority': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/priority`, { priority: 'high' }),
  'PUT /v1/tickets/{number}/tags': async (c, make) => c.put(`/v1/tickets/${await make.ticket()}/tags`, { tags: ['a'] }),
  'POST /v1/tickets/{number}/tags': async (c, make) =>
    c.post(`/v1/tickets/${await make.ticket()}/tags`, { tags: ['b'] }),
  'DELETE /v1/tickets/{number}/tags/{tag}': async (c, make) =>
    c.delete(`/v1/tickets/${await make.ticket({ tags: ['c'] })}/tags/c`),
  'PUT /v1/tickets/{number}/mailbox': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/mailbox`, { mailbox: await make.aMailbox() }),
  'POST /v1/tickets/{number}/change_mailbox/{mailbox_id}': async (c, make) =>
    c.post(`/v1/tickets/${await make.ticket()}/change_mailbox/${await make.aMailbox()}`),
  'PUT /v1/tickets/{number}/title': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/title`, { title: 'New' }),
  'PUT /v1/tickets/{number}/snoozed_until': async (c, make) =>
    c.put(`/v1/tickets/${await make.ticket()}/snoozed_until`, { snoozed_until: '2099-01-01T00:00:00Z' }),
  'POST /v1/tickets/{number}/messages': async (c, make) =>
    c.post(`/v1/tickets/${await make.ticket()}/messages`, { body: 'Answer' }),
  'POST /v1/messages/{id}/attachments': async (c, make) =>
    sendFile(c, `/v1/messages/${await make.message()}/attachments`, 'text'),
  'POST /v1/customers': (c) => c.post('/v1/customers', { email: newEmail() }),
  'PUT /v1/customers/{email}': async (c, make) => c.put(`/v1/customers/${await make.customer()}`, { about: 'VIP' }),
  'PATCH /v1/customers/{email}': async (c, make) => c.patch(`/v1/customers/${await make.customer()}`, { name: 'A B' }),
  'DELETE /v1/customers/{email}': async (c, make) => c.delete(`/v1/customers/${await make.customer()}`),
  'POST /v1/agents': (c) => c.post('/v1/agents', { email: newEmail('agent'), first_name: 'A', last_name: 'B' }),
  'PUT /v1/agents/{email}': async (c, make) => c.put(`/v1/agents/${await make.agent()}`, { first_name: 'New' }),
  'POST /v1/agents/{email}/archive': async (c, make) => c.post(`/v1/agents/${await make.agent()}/archive`),
  'POST /v1/agents/{email}/restore': async (c, make) => c.post(`/v1/agents/${await make.archivedAgent()}/restore`),
  'POST /v1/groups': (c) => c.post('/v1/groups', { name: newEmail('Group') }),
  'PUT /v1/groups/{id}': async (c, make) =>
    c.put(`/v1/groups/${await make.group()}`, { members: [await make.agent()] }),
  'DELETE /v1/groups/{id}': async (c, make) => c.delete(`/v1/groups/${await make.group()}`),
  'POST /v1/mailboxes': (c) => {
    const email = newEmail('mailbox');
    return c.post('/v1/mailboxes', { name: email, email });
  },
  'PUT /v1/mailboxes/{id}': async (c, make) =>
    c.put(`/v1/mailboxes/${await make.aMailbox()}`, { name: newEmail('Mailbox') }),
  'DELETE /v1/mailboxes/{id}': async (c, make) => c.delete(`/v1/mailboxes/${await make.aMailbox()}`),
};

/**
 * Operations that change no copied record at once. A submitted mail changes records when it is processed, and an email
 * that is sent again was sent before; test/mail covers both.
 */
export const OTHER_WRITES =
  /^\w+ \/v1\/(webhooks|deliveries|replays|arrivals|mailboxes\/\{id\}\/(raw$|smtp$|imap)|messages\/\{id\}\/send_again$)/;
