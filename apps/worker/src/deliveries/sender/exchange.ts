import { StringDecoder } from 'node:string_decoder';
import type { IncomingHttpHeaders } from 'undici/types/header.js';
import type { Dispatcher } from 'undici';
import { type Connection, MAX_RESPONSE_BYTES, responseTooLong } from './connection-pool.js';
import { ExchangeInterrupted, type Failure, failureOf } from './failure.js';

const MAX_KEPT_BODY_BYTES = 16 * 1024;

/** A few responses such as `103 Early Hints` are normal, thousands are an attack. */
const MAX_INFORMATIONAL_RESPONSES = 16;

/** `failure` is null for a complete response, and `status` without one. */
export interface ExchangeResult {
  readonly status: number | null;
  readonly body: string;
  readonly truncated: boolean;
  readonly retryAfter: string | null;
  readonly failure: Failure | null;
}

export function exchange(
  connection: Connection,
  request: Dispatcher.DispatchOptions,
  deadline: SendDeadline,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const receiver = new ResponseHandler(connection, resolve);
    deadline.onEnd((interrupted) => receiver.interrupt(interrupted));
    connection.dispatch(request, receiver);
  });
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  private status: number | null = null;
  private retryAfter: string | null = null;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private truncated = false;
  private informational = 0;
  private reason: Failure | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly resolve: (reply: ExchangeResult) => void,
  ) {}

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.informational += 1;
      if (this.informational > MAX_INFORMATIONAL_RESPONSES)
        this.interrupt(new ExchangeInterrupted('protocol', 'too many informational answers came before the answer'));
      return;
    }
    this.status = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null;
    if (Number(headers['content-length']) > MAX_RESPONSE_BYTES) this.interrupt(responseTooLong());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = MAX_KEPT_BODY_BYTES - this.keptBytes;
    if (chunk.length > room) this.truncated = true;
    if (room <= 0) return;
    this.kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.keptBytes += Math.min(chunk.length, room);
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish(this.reason ?? failureOf(error));
  }

  interrupt(interrupted: ExchangeInterrupted): void {
    this.reason ??= interrupted.reason;
    this.connection.close(interrupted);
  }

  private finish(reason: Failure | null): void {
    const { status, retryAfter, truncated } = this;
    this.resolve({ status, retryAfter, truncated, failure: reason, body: this.text() });
  }

  /** PostgreSQL can store it: no partial character, no NUL. */
  private text(): string {
    const bytes = Buffer.concat(this.kept);
    const text = this.truncated ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8');
    return text.replaceAll('\u0000', '\uFFFD');
  }
}

export class SendDeadline {
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private interrupt: ((reason: ExchangeInterrupted) => void) | null = null;
  private reason: ExchangeInterrupted | null = null;
  abandoned = false;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => {
      this.end(new ExchangeInterrupted('timeout', `no complete answer within ${timeoutMs} ms`));
    }, timeoutMs);
  }

  /** Replaces the callback. Called at once if the time is up. */
  onEnd(interrupt: (reason: ExchangeInterrupted) => void): void {
    this.interrupt = interrupt;
    if (this.reason) interrupt(this.reason);
  }

  abandon(): void {
    this.abandoned = true;
    this.end(new ExchangeInterrupted('timeout', 'the delivery was interrupted'));
  }

  clear(): void {
    clearTimeout(this.timer);
    this.interrupt = null;
  }

  elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private end(reason: ExchangeInterrupted): void {
    this.reason = reason;
    this.interrupt?.(reason);
  }
}
