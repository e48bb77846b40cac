import { AddressGuard, DnsResolver, GuardedNames, type PrivateLog } from '#libs/address-guard';
import type { Settings } from '#libs/settings';
import { type AbandonedAttempt, type AttemptOutcome, checkWebhookUrl } from '#libs/webhooks';
import { ConnectionPool, type PoolLimits, Connection } from './connection-pool.js';
import { type Dialler, DirectDialler, ProxyDialler, newSecureContext, targetOf } from './diallers.js';
import { type ExchangeResult, exchange, SendDeadline } from './exchange.js';
import { type Failure, failure } from './failure.js';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
}

interface WebhookClientSettings {
  readonly requireHttps: boolean;
  readonly pool?: PoolLimits;
}

/** Never rejects, follows no redirect, and ends within the deadline. */
export class WebhookClient {
  private readonly pool: ConnectionPool;
  private readonly running = new Set<SendDeadline>();
  private isClosed = false;

  constructor(
    private readonly dialler: Dialler,
    private readonly settings: WebhookClientSettings,
  ) {
    this.pool = new ConnectionPool(settings.pool);
  }

  async post(request: WebhookPost): Promise<AttemptOutcome | AbandonedAttempt> {
    const deadline = new SendDeadline(request.timeoutMs);
    this.running.add(deadline);
    const reply = await this.attempt(request, deadline);
    this.running.delete(deadline);
    deadline.clear();
    return deadline.abandoned
      ? { kind: 'abandoned', durationMs: deadline.elapsedMs() }
      : outcomeOf(reply, deadline.elapsedMs());
  }

  get stats(): { readonly inFlight: number; readonly idleConnections: number } {
    return { inFlight: this.running.size, idleConnections: this.pool.idle };
  }

  close(): void {
    this.isClosed = true;
    for (const deadline of this.running) deadline.abandon();
    this.pool.closeAll();
  }

  private async attempt(request: WebhookPost, deadline: SendDeadline): Promise<ExchangeResult> {
    const checked = checkWebhookUrl(request.url, this.settings);
    if (!checked.ok) return withoutResponse(failure('invalid_url', `the address ${checked.message}`));
    const { url } = checked;
    const idle = this.pool.take(url.origin);
    if (idle) {
      const reply = await this.send(idle, url, request, deadline);
      if (!wasClosedWhileIdle(idle, reply)) return reply;
    }
    const dialled = await this.dialler.dial(targetOf(url), deadline);
    if (dialled.kind === 'failure') return withoutResponse(dialled);
    const connection = new Connection(url.origin, dialled.socket);
    connection.onClose(() => this.pool.forget(connection));
    return this.send(connection, url, request, deadline);
  }

  private async send(
    connection: Connection,
    url: URL,
    { headers, body }: WebhookPost,
    deadline: SendDeadline,
  ): Promise<ExchangeResult> {
    const request = { method: 'POST', path: url.pathname + url.search, headers, body } as const;
    const reply = await exchange(connection, request, deadline);
    if (reply.failure || this.isClosed) connection.close();
    else this.pool.keep(connection);
    return reply;
  }
}

/** A request on a connection that closed while idle is repeated on a new one. */
function wasClosedWhileIdle(connection: Connection, reply: ExchangeResult): boolean {
  return connection.isReused && reply.status === null && reply.failure?.error === 'reset';
}

function withoutResponse(reason: Failure): ExchangeResult {
  return { status: null, body: '', truncated: false, retryAfter: null, failure: reason };
}

/** A receiver that breaks off a 2xx may not have accepted the delivery. */
function outcomeOf(
  { status, body, truncated, retryAfter, failure: reason }: ExchangeResult,
  durationMs: number,
): AttemptOutcome {
  const isSuccess = status !== null && status >= 200 && status < 300;
  if (status === null || (reason && isSuccess)) {
    const { error, detail } = reason ?? failure('reset', 'the connection was closed before the answer');
    return { kind: 'failed', error, detail, status, body, truncated, durationMs };
  }
  return { kind: isSuccess ? 'delivered' : 'answered', status, body, truncated, retryAfter, durationMs };
}

const CONNECT_TIMEOUT_MS = 5_000;

export function newWebhookClient(settings: Settings, logger?: PrivateLog): WebhookClient {
  const guard = new AddressGuard(settings.WEBHOOK_ALLOWED_NETWORKS);
  const privateLog = settings.NODE_ENV === 'production' ? logger : undefined;
  const dialling = { connectTimeoutMs: CONNECT_TIMEOUT_MS, secureContext: newSecureContext(), privateLog };
  const dialler = settings.WEBHOOK_PROXY_URL
    ? new ProxyDialler(new URL(settings.WEBHOOK_PROXY_URL), guard, dialling)
    : new DirectDialler(new GuardedNames(guard, new DnsResolver(), privateLog), dialling);
  return new WebhookClient(dialler, { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });
}
