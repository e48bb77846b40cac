import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/** A proxy between the product and a mail server. It ends connections on command, after a number of further bytes. */
export class DroppingProxy {
  dropped = 0;
  private leftBytes = Number.POSITIVE_INFINITY;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: () => number) {
    this.server = createServer((socket) => this.join(socket, connect(this.target(), '127.0.0.1')));
  }

  static async inFrontOf(target: () => number): Promise<DroppingProxy> {
    const proxy = new DroppingProxy(target);
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  dropAfter(bytes: number): void {
    this.leftBytes = bytes;
  }

  dropNow(): void {
    this.dropped += 1;
    this.leftBytes = Number.POSITIVE_INFINITY;
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private join(client: Socket, server: Socket): void {
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      this.leftBytes -= chunk.length;
      const passed = this.leftBytes < 0 ? chunk.subarray(0, Math.max(0, chunk.length + this.leftBytes)) : chunk;
      if (!client.write(passed)) {
        server.pause();
        client.once('drain', () => server.resume());
      }
      if (this.leftBytes < 0) this.dropNow();
    });
  }
}
