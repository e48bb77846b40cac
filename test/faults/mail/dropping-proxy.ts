import type { Socket } from 'node:net';
import { Passage, endTogether } from '../passage.js';

/** A proxy between the product and a mail server. It ends connections on command, after a number of further bytes. */
export class DroppingProxy {
  dropped = 0;
  private leftBytes = Number.POSITIVE_INFINITY;

  private constructor(private readonly passage: Passage) {}

  static async inFrontOf(target: () => number): Promise<DroppingProxy> {
    const proxy = new DroppingProxy(await Passage.to(target, (client, server) => proxy.join(client, server)));
    return proxy;
  }

  get port(): number {
    return this.passage.port;
  }

  dropAfter(bytes: number): void {
    this.leftBytes = bytes;
  }

  stop(): void {
    this.passage.stop();
  }

  private join(client: Socket, server: Socket): void {
    endTogether(client, server);
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      this.leftBytes -= chunk.length;
      const passed = this.leftBytes < 0 ? chunk.subarray(0, Math.max(0, chunk.length + this.leftBytes)) : chunk;
      if (!client.write(passed)) {
        server.pause();
        client.once('drain', () => server.resume());
      }
      if (this.leftBytes < 0) this.drop();
    });
  }

  private drop(): void {
    this.dropped += 1;
    this.leftBytes = Number.POSITIVE_INFINITY;
    this.passage.endAll();
  }
}
