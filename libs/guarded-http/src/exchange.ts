import type { Dispatcher } from 'undici';
import type { IncomingHttpHeaders } from 'undici/types/header.js';
import { type Connection, MAX_RESPONSE_BYTES, responseTooLong } from './connection-pool.js';
import { ExchangeInterrupted, type Failure, failureOf } from './failure.js';
import type { Stop } from './stop.js';

export const MAX_KEPT_BODY_BYTES = 16 * 1024;

/** A few responses such as `103 Early Hints` are normal, thousands are an attack. */
const MAX_INFORMATIONAL_RESPONSES = 16;

/** `failure` is null for a complete response, and `status` without one. */
export interface ExchangeResult {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly truncated: boolean;
  readonly failure: Failure | null;
}

const NO_HEADERS: IncomingHttpHeaders = {};

export function withoutResponse(reason: Failure): ExchangeResult {
  return { status: null, headers: NO_HEADERS, body: '', truncated: false, failure: reason };
}

/** The first value, if a header is repeated. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | null =>
  [headers[name]].flat()[0] ?? null;

export function exchange(
  connection: Connection,
  request: Dispatcher.DispatchOptions,
  stop: Stop,
): Promise<ExchangeResult> {
  stop.listener = (reason) => connection.close(reason);
  return new Promise((resolve) => connection.dispatch(request, new ResponseHandler(connection, resolve)));
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  private status: number | null = null;
  private headers = NO_HEADERS;
  private readonly kept: Buffer[] = [];
  private bodyBytes = 0;
  private informational = 0;

  constructor(
    private readonly connection: Connection,
    private readonly resolve: (result: ExchangeResult) => void,
  ) {}

  onRequestStart(): void {}

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) {
      this.informational += 1;
      if (this.informational > MAX_INFORMATIONAL_RESPONSES)
        this.connection.close(
          new ExchangeInterrupted('protocol', 'too many informational responses before the response'),
        );
      return;
    }
    this.status = status;
    this.headers = headers;
    if (Number(headers['content-length']) > MAX_RESPONSE_BYTES) this.connection.close(responseTooLong());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.bodyBytes < MAX_KEPT_BODY_BYTES) this.kept.push(chunk);
    this.bodyBytes += chunk.length;
  }

  onResponseEnd(): void {
    this.finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish(failureOf(error));
  }

  /** PostgreSQL can store the body: no partial character, no NUL. */
  private finish(failure: Failure | null): void {
    const { status, headers } = this;
    const truncated = this.bodyBytes > MAX_KEPT_BODY_BYTES;
    const bytes = Buffer.concat(this.kept).subarray(0, MAX_KEPT_BODY_BYTES);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: truncated });
    this.resolve({ status, headers, truncated, failure, body: text.replaceAll('\u0000', '\uFFFD') });
  }
}
