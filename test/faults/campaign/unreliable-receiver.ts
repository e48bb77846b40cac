import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '../../../apps/launcher/src/ports.js';

export type ReceiverMode = 'well' | 'refusing' | 'resetting' | 'busy' | 'pacing' | 'hanging';

export interface Arrival {
  /** Each webhook has its own path. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
  readonly from: string;
}

/** Long enough that some request is always in flight. */
const ANSWERS_AFTER_MS = 25;

/** A receiver with outages. A request answered with a 2xx has arrived; all others do not count. */
export class UnreliableReceiver {
  readonly arrivals: Arrival[] = [];
  /** Whether it had an outage since the last reset. */
  hadOutage = false;
  private mode: ReceiverMode = 'well';
  private readonly hangingSockets: Socket[] = [];
  private server: Server | undefined;
  /** The same after each outage. */
  private port = 0;

  constructor(private readonly host = '127.0.0.1') {}

  async start(): Promise<void> {
    this.port = await freePort();
    await this.listen();
  }

  get url(): string {
    return `http://${this.host}:${this.port}`;
  }

  async setMode(mode: ReceiverMode): Promise<void> {
    this.hadOutage ||= mode !== 'well';
    this.mode = mode;
    for (const socket of this.hangingSockets.splice(0)) socket.destroy();
    if (mode === 'refusing') this.hangUp();
    else if (!this.server) await this.listen();
  }

  forget(): void {
    this.arrivals.length = 0;
    this.hadOutage = false;
  }

  close(): void {
    this.server?.closeAllConnections();
    this.server?.close();
    this.server = undefined;
  }

  /** Answers the requests already received: a cut-off answer would be a duplicate caused by the receiver. */
  private hangUp(): void {
    this.server?.close();
    this.server = undefined;
  }

  private async listen(): Promise<void> {
    const server = createServer((request, response) => void this.take(request, response));
    server.listen(this.port, this.host);
    await once(server, 'listening');
    this.server = server;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    request.setEncoding('utf8');
    request.on('error', () => undefined);
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => this.answer(request, body, response));
  }

  private answer({ url: path = '', headers, socket }: IncomingMessage, body: string, response: ServerResponse): void {
    if (this.mode === 'hanging') return void this.hangingSockets.push(socket);
    if (this.mode === 'refusing' || this.mode === 'resetting') return void socket.destroy();
    if (this.mode === 'busy') return void response.writeHead(503).end();
    if (this.mode === 'pacing') return void response.writeHead(503, { 'retry-after': '1' }).end();
    this.arrivals.push({ path, headers, body, atMs: Date.now(), from: socket.remoteAddress ?? '' });
    setTimeout(() => response.writeHead(204).end(), ANSWERS_AFTER_MS);
  }
}
