import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** The bytes with which PostgreSQL reports that it is ready for a query, followed by its shutdown notice. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const STOPPING = fatalError('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command');

/** A proxy between a client and PostgreSQL. While `ending`, it ends each connection as soon as it is ready. */
export class ClosingProxy {
  closing = false;
  /** Only connections with this application name. */
  applicationName = '';
  closedCount = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async inFrontOf(databaseUrl: string): Promise<ClosingProxy> {
    const { server, url } = await listenInFrontOf(databaseUrl, (client, to) => proxy.join(client, to));
    const proxy = new ClosingProxy(server, url);
    return proxy;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, server: Socket): void {
    endTogether(this.sockets, client, server);
    let isNamed = false;
    client.once('data', (chunk: Buffer) => (isNamed = chunk.includes(this.applicationName)));
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      if (this.closing && isNamed && chunk.includes(READY)) this.end(client, server, chunk);
      else client.write(chunk);
    });
  }

  /**
   * Like a stopping server: later statements of the client are not executed, or a claim would be lost with its response.
   */
  private end(client: Socket, server: Socket, lastChunk: Buffer): void {
    this.closedCount += 1;
    client.unpipe(server);
    client.end(Buffer.concat([lastChunk, STOPPING]), () => server.destroy());
  }
}

/** Adds both sockets, and closes each when the other ends. */
export function endTogether(sockets: Set<Socket>, client: Socket, server: Socket): void {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(one);
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
}

/** Connects each client to PostgreSQL, and passes both sockets on. */
export async function listenInFrontOf(databaseUrl: string, join: (client: Socket, server: Socket) => void) {
  const to = new URL(databaseUrl);
  const server = createServer((socket) => join(socket, connect(Number(to.port), to.hostname)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = `${(server.address() as AddressInfo).port}`;
  return { server, url: Object.assign(new URL(databaseUrl), { port }).href };
}

function fatalError(...fields: string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`, 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
