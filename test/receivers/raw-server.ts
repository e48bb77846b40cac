import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { TestRunner, onTestFinished } from 'vitest';
import type { Certificate } from './certificate.js';

/** A listening socket scripted by the test, below HTTP. It counts the connections, and ends with a test that starts it. */
export class RawServer {
  readonly sockets = new Set<Socket>();
  connections = 0;

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => socket.destroy());
    });
  }

  static async start(onSocket: (socket: Socket) => void, { host = '127.0.0.1', port = 0 } = {}): Promise<RawServer> {
    return new RawServer(createServer(onSocket), 'http').listen(host, port);
  }

  static async startTls(certificate: Certificate, onSocket: (socket: Socket) => void): Promise<RawServer> {
    const server = createTlsServer(certificate, (socket) => onSocket(socket.on('error', () => socket.destroy())));
    return new RawServer(server, 'https').listen('127.0.0.1', 0);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(scheme: 'http' | 'https' = this.scheme, host = '127.0.0.1'): string {
    return `${scheme}://${host}:${this.port}/hooks`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async listen(host: string, port: number): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, host, resolve);
    });
    if (TestRunner.getCurrentTest()) onTestFinished(() => this.stop());
    return this;
  }
}

/** Writes no faster than the other side reads. */
export function pour(socket: Socket, chunk: string | Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', write);
  write();
}

export function drip(socket: Socket, byte: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(byte), everyMs);
  socket.on('close', () => clearInterval(timer));
}

export const aReply = (status: string, body = '', headers = ''): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Answers each request on the connection once its first bytes arrive. */
export function onRequest(answer: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => socket.on('data', (chunk) => chunk.toString('latin1').startsWith('POST ') && answer(socket));
}

export const answering = (answer: string | Buffer = aReply('200 OK', 'ok')): Promise<RawServer> =>
  RawServer.start(onRequest((socket) => socket.write(answer)));
