import type { Socket } from 'node:net';
import { Passage, endTogether } from './passage.js';

/** The bytes with which PostgreSQL reports that it is ready for a query, followed by its shutdown notice. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');
const STOPPING = fatalError('SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command');

/** A proxy between a client and PostgreSQL. While `closing`, it ends each connection as soon as it is ready. */
export class ClosingProxy {
  closing = false;
  /** Only connections with this application name. */
  applicationName = '';
  closedCount = 0;

  private constructor(
    private readonly passage: Passage,
    readonly url: string,
  ) {}

  static async inFrontOf(databaseUrl: string): Promise<ClosingProxy> {
    const { passage, url } = await Passage.toDatabase(databaseUrl, (client, server) => proxy.join(client, server));
    const proxy = new ClosingProxy(passage, url);
    return proxy;
  }

  stop(): void {
    this.passage.stop();
  }

  private join(client: Socket, server: Socket): void {
    endTogether(client, server);
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

function fatalError(...fields: string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`, 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
