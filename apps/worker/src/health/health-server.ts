import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE_IS_UNMIGRATED, Database, hasPendingMigrations } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { filesDisk } from '#libs/storage';
import { Metrics, metricsAccess, registerDiskGauges } from '#libs/telemetry';
import { DeliveryQueue } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { WorkerReadinessService } from './worker-readiness.service.js';

const READY_WITHIN_MS = 2_000;

/** The HTTP server of the worker, for orchestrators and Prometheus. */
@Injectable()
export class HealthServer {
  private server: Server | undefined;
  private readonly disk;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly metrics: Metrics,
    private readonly readiness: WorkerReadinessService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.disk = filesDisk(settings);
    registerDiskGauges(metrics, this.disk);
  }

  /** Returns the port. */
  async start(): Promise<number> {
    const { HEADERS_TIMEOUT_MS, STALL_TIMEOUT_MS } = this.settings;
    const server = createServer(
      // No request of this server has a body, so a whole request has the time of its headers.
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: 1000,
        requireHostHeader: false,
      },
      (request, response) => void this.answer(request, response),
    );
    server.setTimeout(STALL_TIMEOUT_MS, (socket) => socket.destroy());
    answerWhatNodeWould(server);
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.settings.WORKER_PORT, this.settings.HOST, resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  /** Reports the worker as not ready while it finishes. */
  drain(): void {
    this.readiness.stopping = true;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response);
    } catch {
      response.writeHead(500).end();
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return send(response, 200, { status: 'ok' });
    if (path === '/readyz') return this.ready(response);
    if (path === '/metrics') return this.tellMetrics(request, response);
    send(response, 404, { status: 'not found' });
  }

  private async tellMetrics({ headers, socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    // A proxy is in front of the API, not of this port.
    const rule = { token: this.settings.METRICS_TOKEN, behindProxy: false };
    const access = metricsAccess(rule, { headers, address: socket.remoteAddress });
    if (access === 'hidden') return send(response, 404, { status: 'not found' });
    if (access === 'unauthorized') return send(response, 401, { status: 'unauthorized' });
    response.writeHead(200, { 'content-type': this.metrics.contentType }).end(await this.metrics.metrics());
  }

  /** Without its queue a worker delivers nothing, though it recovers by itself. */
  private async ready(response: ServerResponse): Promise<void> {
    const [migrated, queue] = await Promise.all([succeeds(this.requireMigrations()), succeeds(this.queue.size())]);
    const { warming, stopping } = this.readiness;
    const ready = migrated && queue && !warming && !stopping;
    const checks = { database: migrated, queue, warming, stopping };
    const disk = await this.disk?.state().catch(() => 'unknown');
    const status = ready ? 'ok' : 'not ready';
    send(response, ready ? 200 : 503, { status, checks, queue: this.queue.backendName, disk });
  }

  private async requireMigrations(): Promise<void> {
    if (await hasPendingMigrations(this.database.dataSource)) throw new Error(DATABASE_IS_UNMIGRATED);
  }
}

/** A server that hangs would leave the probe without an answer, and orchestrators wait for seconds at most. */
async function succeeds(question: Promise<unknown>): Promise<boolean> {
  const answered = new AbortController();
  const late = delay(READY_WITHIN_MS, false, { ref: false, signal: answered.signal }).catch(() => false);
  const succeeded = question.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([succeeded, late]);
  } finally {
    answered.abort();
  }
}

/** By itself it sends a bare status, or nothing. */
function answerWhatNodeWould(server: Server): void {
  server.on('clientError', (_error, socket) => refuse(socket, '400 Bad Request'));
  server.on('connect', (_request, socket) => refuse(socket, '405 Method Not Allowed'));
  server.on('checkExpectation', (_request, response) => send(response, 417, { status: 'expectation failed' }));
}

function refuse(socket: Duplex, status: string): void {
  // Node may have let go of the socket by now, and a reset that nobody listens to would end the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  // No body: a client that asked by HEAD, which cannot be told of a broken request, takes one for the start of another answer.
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 0`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
