import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { eventually } from './eventually.js';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Record<string, unknown>;
  readonly path: string;
  readonly at: number;
}

/** A status, a status with headers and body, or the status for a path; used in order, the last one stays. */
export type Reply =
  | number
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number; until?: Promise<unknown> }
  | ((path: string) => number);

/** A real HTTP server with scripted replies that records its requests. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  private replies: Reply[];

  private constructor(
    private readonly server: Server,
    replies: Reply[],
  ) {
    this.replies = replies;
  }

  static async start({ replies = [204] as Reply[] } = {}): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server, [...replies]);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        receiver.requests.push({
          headers: request.headers,
          body,
          json: parseJson(body),
          path: request.url ?? '',
          at: Date.now(),
        });
        const next = receiver.nextReply();
        const reply = typeof next === 'function' ? next(request.url ?? '') : next;
        const {
          status,
          headers = {},
          body: answer = '',
          afterMs = 0,
          until,
        } = typeof reply === 'number' ? { status: reply } : reply;
        const send = () => response.writeHead(status, headers).end(answer);
        void Promise.resolve(until).then(() => setTimeout(send, afterMs));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  reply(...replies: Reply[]): void {
    this.replies = replies;
  }

  /** Resolves with the first `count` requests once they have arrived. */
  async received(count: number, { withinMs = 10_000 } = {}): Promise<ReceivedRequest[]> {
    const all = () => this.requests.length >= count && this.requests.slice(0, count);
    return eventually(all, { withinMs }).catch(() => {
      throw new Error(`${this.requests.length} of ${count} requests came within ${withinMs} ms`);
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private nextReply(): Reply {
    return (this.replies.length > 1 ? this.replies.shift() : this.replies[0]) ?? 204;
  }
}

/** Throws when the independent library rejects the signature. */
export function verify(received: ReceivedRequest, secret: string): void {
  new StandardWebhook(secret).verify(received.body, received.headers as Record<string, string>);
}

function parseJson(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}
