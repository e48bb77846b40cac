import type { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { ApiResponse, ApiClient } from '#test/support/api-client.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

/** An action that both the console and the API offer. A test runs each of them on one of two similar records. */
export interface ConsoleAction {
  /** The console route, as its controller declares it. */
  readonly route: string;
  readonly what?: string;
  /** Makes a new record and returns its name in URLs. */
  readonly on: (desk: Twins) => Promise<string>;
  readonly click: (twin: string, desk: Twins) => readonly [path: string, fields: Record<string, string>];
  readonly call: (twin: string, desk: Twins) => Promise<ApiResponse>;
}

/** Makes records that differ only in their names. */
export class Twins {
  private made = 0;

  constructor(private readonly oauth: OAuthDesk) {}

  get email(): string {
    return this.oauth.desk.account.owner.email;
  }

  client(): ApiClient {
    return this.oauth.desk.client();
  }
  post(path: string, body: object = {}): Promise<ApiResponse> {
    return this.client().post(path, body);
  }
  put(path: string, body: object): Promise<ApiResponse> {
    return this.client().put(path, body);
  }

  name(): Promise<string> {
    return Promise.resolve(this.fresh('name'));
  }

  async ticket(): Promise<string> {
    const to = this.oauth.desk.account.mailbox.email;
    const answer = await this.post('/v1/tickets', { from: 'ana@client.example', to, body: 'Hello', tags: ['old'] });
    return String(answer.body.ticket.number);
  }
  async closed(): Promise<string> {
    const number = await this.ticket();
    await this.put(`/v1/tickets/${number}/state`, { state: 'closed' });
    return number;
  }
  async titled(): Promise<string> {
    const number = await this.ticket();
    await this.put(`/v1/tickets/${number}/title`, { title: 'Invoice' });
    return number;
  }
  async snoozed(): Promise<string> {
    const number = await this.ticket();
    await this.put(`/v1/tickets/${number}/snoozed_until`, { snoozed_until: '2050-05-01T09:00:00Z' });
    return number;
  }
  async deleted(): Promise<string> {
    const number = await this.ticket();
    await this.client().delete(`/v1/tickets/${number}`);
    return number;
  }

  async customer(): Promise<string> {
    const email = `${this.fresh('c')}@client.example`;
    await this.post('/v1/customers', { email });
    return email;
  }
  async agent(): Promise<string> {
    const email = `${this.fresh('agent')}@acme.test`;
    return (await this.post('/v1/agents', { email, first_name: 'No', last_name: 'Name' })).body.agent.id as string;
  }
  async archived(): Promise<string> {
    const id = await this.agent();
    await this.post(`/v1/agents/${id}/archive`);
    return id;
  }
  async group(): Promise<string> {
    return (await this.post('/v1/groups', { name: this.fresh('group') })).body.group.id as string;
  }
  async mailbox(): Promise<string> {
    const name = this.fresh('mailbox');
    return (await this.post('/v1/mailboxes', { name, email: `${name}@acme.test` })).body.mailbox.id as string;
  }
  async mailboxWithServer(): Promise<string> {
    const id = await this.mailbox();
    await this.put(`/v1/mailboxes/${id}/smtp`, { host: 'mail.example.com' });
    return id;
  }

  async webhook(): Promise<string> {
    const wanted = { event: 'ticket_closed', url: `https://example.com/${this.fresh('w')}` };
    return (await this.post('/v1/webhooks', wanted)).body.webhook.id as string;
  }
  async delivery(): Promise<string> {
    return (await insertPastDeliveries(this.oauth.desk, await this.webhook(), ['exhausted']))[0]!;
  }
  /** Returns two ids: of the webhook and of the replay. */
  async replay(): Promise<string> {
    const id = await this.webhook();
    await insertPastDeliveries(this.oauth.desk, id, ['exhausted']);
    return `${id} ${(await this.post(`/v1/webhooks/${id}/replay`)).body.replay.id}`;
  }

  private fresh(word: string): string {
    return `${word}${++this.made}`;
  }
}
