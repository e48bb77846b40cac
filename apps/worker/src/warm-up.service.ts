import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Database, NIL_UUID } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { newWebhookSecret } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { type WebhookClient, newWebhookClient } from './deliveries/sender/webhook-client.js';
import { AttemptPolicyService } from './deliveries/attempt/attempt-policy.service.js';
import type { DueDelivery } from './deliveries/attempt/due-delivery.js';

export const HOT_STATEMENTS = ['delivery_load_first', 'delivery_record_first'];

/** PostgreSQL starts a process for each connection. */
const CONNECTIONS = 4;

/** Lets the JIT compile the hot functions. */
const ROUNDS = 12;

/** Bounds a warm-up that hangs. */
const DEADLINE_MS = 3_000;

/** Signs, posts to a receiver in this process and prepares statements before the first events. Failures are ignored. */
@Injectable()
export class WarmUpService {
  private running: Promise<unknown> = Promise.resolve();
  private warming = false;

  constructor(
    private readonly database: Database,
    private readonly policy: AttemptPolicyService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  get isWarming(): boolean {
    return this.warming;
  }

  start(): void {
    this.warming = true;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const warm = this.warm(deadline).catch(() => undefined);
    this.running = Promise.race([warm, once(deadline, 'abort')]).finally(() => (this.warming = false));
  }

  async stop(): Promise<void> {
    await this.running;
  }

  private async warm(deadline: AbortSignal): Promise<void> {
    await Promise.all([this.database.renew(CONNECTIONS, HOT_STATEMENTS), this.postToItself(deadline)]);
  }

  private async postToItself(deadline: AbortSignal): Promise<void> {
    const receiver = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const client = newWebhookClient({
      ...this.settings,
      WEBHOOK_ALLOWED_NETWORKS: ['127.0.0.1/32'],
      WEBHOOK_PROXY_URL: undefined,
      WEBHOOK_REQUIRE_HTTPS: false,
    });
    for (let round = 0; round < ROUNDS && !deadline.aborted; round++) await this.post(client, receiver);
    client.close();
    receiver.close();
  }

  private async post(client: WebhookClient, receiver: Server): Promise<void> {
    const { port } = receiver.address() as AddressInfo;
    await client.post({ ...this.policy.sign(sampleTo(`http://127.0.0.1:${port}/`)), timeoutMs: DEADLINE_MS });
  }
}

const sampleTo = (url: string): DueDelivery => ({
  deliveryId: NIL_UUID,
  accountId: NIL_UUID,
  webhookId: NIL_UUID,
  attempts: 0,
  kind: 'agent_replied',
  url,
  webhookState: 'active',
  retryAfterUntil: null,
  isSlow: false,
  secrets: [newWebhookSecret()],
  publiclySigned: false,
  credentials: {},
  event: {
    id: NIL_UUID,
    sequence: '1',
    body: Buffer.from('{}'),
    test: false,
    requestId: null,
    cause: { type: 'system' },
    traceparent: null,
    createdAt: new Date(0),
  },
});
