import { type PrivateLog, checkOutgoingUrl } from '#libs/address-guard';
import type { AbandonedAttempt, AttemptOutcome } from '#libs/delivery';
import {
  Connection,
  ConnectionPool,
  type Dialler,
  ExchangeInterrupted,
  type ExchangeResult,
  type PoolLimits,
  Stop,
  exchange,
  failure,
  headerOf,
  newDialler,
  targetOf,
  withoutResponse,
} from '#libs/guarded-http';
import type { Settings } from '#libs/settings';
import type { Dispatcher } from 'undici';
import { type Credentials, hideCredentials } from './hidden-credentials.js';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Only sent: records of attempts have `headers`. */
  readonly credentials: Credentials;
  readonly body: Buffer;
  readonly timeoutMs: number;
}

interface WebhookClientSettings {
  readonly requireHttps: boolean;
  readonly pool?: PoolLimits;
}

const ABANDONED = new ExchangeInterrupted('timeout', 'the delivery was interrupted');

/** Never rejects, follows no redirect, and ends within the deadline. */
export class WebhookClient {
  private readonly pool: ConnectionPool;
  private readonly running = new Set<Stop>();
  private isClosed = false;

  constructor(
    private readonly dialler: Dialler,
    private readonly settings: WebhookClientSettings,
  ) {
    this.pool = new ConnectionPool(settings.pool);
  }

  async post(request: WebhookPost): Promise<AttemptOutcome | AbandonedAttempt> {
    const startedAt = performance.now();
    const stop = new Stop();
    const tooLate = () => new ExchangeInterrupted('timeout', `no complete response within ${request.timeoutMs} ms`);
    const timer = setTimeout(() => stop.end(tooLate()), request.timeoutMs);
    this.running.add(stop);
    const reply = await this.attempt(request, stop);
    this.running.delete(stop);
    clearTimeout(timer);
    const durationMs = Math.round(performance.now() - startedAt);
    return stop.reason === ABANDONED
      ? { kind: 'abandoned', durationMs }
      : outcomeOf(hiding(request, reply), durationMs);
  }

  get stats(): { readonly inFlight: number; readonly idleConnections: number } {
    return { inFlight: this.running.size, idleConnections: this.pool.idle };
  }

  close(): void {
    this.isClosed = true;
    for (const stop of this.running) stop.end(ABANDONED);
    this.pool.closeAll();
  }

  private async attempt(request: WebhookPost, stop: Stop): Promise<ExchangeResult> {
    const checked = checkOutgoingUrl(request.url, this.settings);
    if (!checked.ok) return withoutResponse(failure('invalid_url', `the address ${checked.message}`));
    const { url } = checked;
    const { credentials, body } = request;
    const headers = { ...credentials, ...request.headers };
    const post = { method: 'POST', path: url.pathname + url.search, headers, body } as const;
    const idle = this.pool.take(url.origin);
    if (idle) {
      const reply = await this.send(idle, post, stop);
      if (stop.reason || !wasClosed(reply)) return reply;
    }
    const dialled = await this.dialler.dial(targetOf(url), stop);
    if (dialled.kind === 'failure') return withoutResponse(dialled);
    const connection = new Connection(url.origin, dialled.socket);
    connection.onClose(() => this.pool.forget(connection));
    return this.send(connection, post, stop);
  }

  private async send(connection: Connection, post: Dispatcher.DispatchOptions, stop: Stop) {
    const reply = await exchange(connection, post, stop);
    if (reply.failure || this.isClosed) connection.close();
    else this.pool.keep(connection);
    return reply;
  }
}

function hiding({ credentials }: WebhookPost, reply: ExchangeResult): ExchangeResult {
  const { body, failure: reason } = reply;
  const shown = reason && { ...reason, detail: hideCredentials(reason.detail, credentials) };
  return { ...reply, body: hideCredentials(body, credentials), failure: shown };
}

/** A request on a connection that closed while idle is repeated on a new one. */
function wasClosed(reply: ExchangeResult): boolean {
  return reply.status === null && reply.failure?.error === 'reset';
}

/** A receiver that breaks off a 2xx may not have accepted the delivery. */
function outcomeOf(
  { status, headers, body, truncated, failure: reason }: ExchangeResult,
  durationMs: number,
): AttemptOutcome {
  const isSuccess = status !== null && status >= 200 && status < 300;
  if (status === null || (reason && isSuccess)) {
    const { error, detail } = reason ?? failure('reset', 'the connection was closed before the response');
    return { kind: 'failed', error, detail, status, body, truncated, durationMs };
  }
  const retryAfter = headerOf(headers, 'retry-after');
  return { kind: isSuccess ? 'delivered' : 'answered', status, body, truncated, retryAfter, durationMs };
}

export const newWebhookClient = (settings: Settings, logger?: PrivateLog): WebhookClient =>
  new WebhookClient(newDialler(settings, logger), { requireHttps: settings.WEBHOOK_REQUIRE_HTTPS });
