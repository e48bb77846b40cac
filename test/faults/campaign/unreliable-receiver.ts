import { once } from 'node:events';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  createServer,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { nonEphemeralPort } from './non-ephemeral-port.js';

export type ReceiverMode = 'well' | 'refusing' | 'resetting' | 'busy' | 'pacing' | 'hanging';

export interface Arrival {
  /** Of the webhook: each has one of its own. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
  /** The address of the worker that sent it. */
  readonly from: string;
}

/** Long enough that something is always under way. */
const ANSWERS_AFTER_MS = 25;

/** A receiver with outages. What it has answered with a 2xx has arrived; all else it has never seen. */
export class UnreliableReceiver {
  readonly arrivals: Arrival[] = [];
  /** Whether it was anything but well since it was last forgotten. */
  hadOutage = false;
  private mode: ReceiverMode = 'well';
  private readonly hangingSockets: Socket[] = [];
  private server: Server | undefined;
  private readonly port = nonEphemeralPort();

  constructor(private readonly host = '127.0.0.1') {}

  start(): Promise<void> {
    return this.listen();
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

  /** Who has been received is still answered: an answer cut off would be a duplicate of the receiver's making. */
  private hangUp(): void {
    this.server?.close();
    this.server = undefined;
  }

  /** The port is its own, yet somebody's outgoing connection may have it for a moment. */
  private async listen(): Promise<void> {
    for (;;) {
      const server = createServer((request, response) => void this.take(request, response));
      try {
        server.listen(this.port, this.host);
        await once(server, 'listening');
        this.server = server;
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        await delay(50);
      }
    }
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
