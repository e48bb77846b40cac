import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { filesDisk } from '#libs/storage';
import { Metrics, metricsAccess, registerDiskGauges } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { WorkerReadinessService } from './worker-readiness.service.js';

@Injectable()
export class HealthServer {
  private server: Server | undefined;
  private stopping = false;
  private readonly disk;

  constructor(
    private readonly readiness: WorkerReadinessService,
    private readonly metrics: Metrics,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {
    this.disk = filesDisk(settings);
    registerDiskGauges(metrics, this.disk);
  }

  async start(): Promise<number> {
    const { HEADERS_TIMEOUT_MS, STALL_TIMEOUT_MS } = this.settings;
    const server = createServer(
      // Requests have no body, so the header timeout covers all.
      {
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: HEADERS_TIMEOUT_MS,
        connectionsCheckingInterval: 1000,
        requireHostHeader: false,
      },
      (request, response) => void this.route(request, response).catch(() => response.writeHead(500).end()),
    );
    server.setTimeout(STALL_TIMEOUT_MS, (socket) => socket.destroy());
    answerInvalidRequests(server);
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.settings.WORKER_PORT, this.settings.HOST, resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  drain(): void {
    this.stopping = true;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => (this.server ? this.server.close(resolve) : resolve(undefined)));
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return send(response, 200, { status: 'ok' });
    if (path === '/readyz') return this.ready(response);
    if (path === '/metrics') return this.sendMetrics(request, response);
    send(response, 404, { status: 'not found' });
  }

  private async sendMetrics({ headers, socket }: IncomingMessage, response: ServerResponse): Promise<void> {
    // No proxy is in front of this port.
    const rule = { token: this.settings.METRICS_TOKEN, behindProxy: false };
    const access = metricsAccess(rule, { headers, address: socket.remoteAddress });
    if (access === 'hidden') return send(response, 404, { status: 'not found' });
    if (access === 'unauthorized') return send(response, 401, { status: 'unauthorized' });
    response.writeHead(200, { 'content-type': this.metrics.contentType }).end(await this.metrics.metrics());
  }

  private async ready(response: ServerResponse): Promise<void> {
    const { isReady, checks, queue } = await this.readiness.read();
    const ready = isReady && !this.stopping;
    const disk = await this.disk?.state().catch(() => 'unknown');
    const status = ready ? 'ok' : 'not ready';
    send(response, ready ? 200 : 503, { status, checks: { ...checks, stopping: this.stopping }, queue, disk });
  }
}

/** Node would send a bare status, or nothing. */
function answerInvalidRequests(server: Server): void {
  server.on('clientError', (_error, socket) => refuse(socket, '400 Bad Request'));
  server.on('connect', (_request, socket) => refuse(socket, '405 Method Not Allowed'));
  server.on('checkExpectation', (_request, response) => send(response, 417, { status: 'expectation failed' }));
}

function refuse(socket: Duplex, status: string): void {
  // Node may have released the socket, and an error without a listener ends the process.
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  // After HEAD a body would be read as another response.
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 0`;
  socket.end(`${head}\r\nconnection: close\r\n\r\n`, () => socket.destroy());
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
