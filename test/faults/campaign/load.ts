import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiResponse, ApiClient } from '#test/support/api-client.js';
import type { SeededAccount } from '#test/support/seed.js';

export const LOAD_EVENT_KINDS = [
  'customer_added',
  'ticket_started',
  'note_added',
  'ticket_priority_changed',
  'agent_replied',
  'ticket_opened',
  'customer_replied',
  'ticket_closed',
] as const;
export type LoadEventKind = (typeof LOAD_EVENT_KINDS)[number];

export interface ApiCall {
  /** Sent with the call and stored with its events, to match them. */
  readonly requestId: string;
  /** The events of a successful call. */
  readonly emits: readonly LoadEventKind[];
  /** 0 without a response. */
  readonly status: number;
  readonly answeredAtMs: number;
}

/** After a failed call: the wait of a patient program. */
const PAUSE_AFTER_FAILURE_MS = 50;

export interface Pace {
  readonly pauseMs: number;
  /** Without a response; unlimited by default. */
  readonly giveUpAfterMs?: number;
}

/**
 * A program that works in an account until the time is over: one ticket after the other, each through its whole life.
 */
export class LoadClient {
  readonly calls: ApiCall[] = [];
  private readonly client: ApiClient;

  constructor(
    base: string,
    private readonly account: SeededAccount,
    private readonly pace: Pace = { pauseMs: 0 },
  ) {
    this.client = new ApiClient(base, account.owner.token);
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.oneTicket(isOver);
  }

  /** An unknown outcome ends the ticket, because the events of a next step would be unpredictable. */
  private async oneTicket(isOver: () => boolean): Promise<void> {
    const customer = `${randomUUID()}@example.com`;
    const started = await this.call(['customer_added', 'ticket_started'], 'POST', '/v1/tickets', {
      body: 'Where is my order?',
      from: customer,
      to: this.account.mailbox.email,
    });
    if (!started) return delay(PAUSE_AFTER_FAILURE_MS);
    const path = `/v1/tickets/${(started.body as { ticket: { number: number } }).ticket.number}`;
    const steps: readonly (() => Promise<ApiResponse | undefined>)[] = [
      () => this.call(['note_added'], 'POST', `${path}/messages`, { body: 'Asked the carrier.', note: true }),
      () => this.call(['ticket_priority_changed'], 'PUT', `${path}/priority`, { priority: 'high' }),
      () => this.call(['agent_replied', 'ticket_opened'], 'POST', `${path}/messages`, { body: 'On its way.' }),
      () => this.call(['customer_replied'], 'POST', `${path}/messages`, { body: 'It came!', author: customer }),
      () => this.call(['ticket_closed'], 'PUT', `${path}/state`, { state: 'closed' }),
    ];
    for (const step of steps) if (isOver() || !(await step())) return;
  }

  private async call(
    emits: readonly LoadEventKind[],
    method: string,
    path: string,
    body: object,
  ): Promise<ApiResponse | undefined> {
    const requestId = randomUUID();
    if (this.pace.pauseMs > 0) await delay(this.pace.pauseMs);
    const answering = this.client
      .send(method, path, body, { 'x-request-id': requestId })
      .catch(() => ({ status: 0 }) as ApiResponse);
    const answer = await this.orNone(answering);
    this.calls.push({ requestId, emits, status: answer.status, answeredAtMs: Date.now() });
    return answer.status >= 200 && answer.status < 300 ? answer : undefined;
  }

  private orNone(answering: Promise<ApiResponse>): Promise<ApiResponse> {
    const { giveUpAfterMs } = this.pace;
    if (giveUpAfterMs === undefined) return answering;
    return Promise.race([answering, delay(giveUpAfterMs, { status: 0 } as ApiResponse, { ref: false })]);
  }
}

/** A webhook as its program registered it, before any fault. */
export interface RegisteredWebhook {
  readonly webhookId: string;
  readonly accountId: string;
  readonly kind: string;
  readonly path: string;
  readonly secret: string;
}

export async function registerWebhook(
  base: string,
  { id: accountId, owner }: SeededAccount,
  { kind, receiver, path }: { readonly kind: LoadEventKind; readonly receiver: string; readonly path: string },
): Promise<RegisteredWebhook> {
  const wanted = { event: kind, url: receiver + path };
  const { status, text, body } = await new ApiClient(base, owner.token).post('/v1/webhooks', wanted);
  if (status !== 201) throw new Error(`A webhook was not registered: ${text}`);
  const { id: webhookId, secret } = body.webhook as { id: string; secret: string };
  return { webhookId, accountId, kind, path, secret };
}
