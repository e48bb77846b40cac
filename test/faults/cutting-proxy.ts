import type { Socket } from 'node:net';
import { Passage, endTogether } from './passage.js';

const FLUSH = Buffer.from('H\0\0\0\x04', 'latin1');

/** The messages of the protocol version 3, except for the first of a client, which has no type. */
interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * A proxy between a client and PostgreSQL. It replaces one Sync with a Flush, and cuts the connection after the responses
 * to the statements before it: their transaction is rolled back, unless a COMMIT is among them.
 */
export class CuttingProxy {
  /** Cuts at this Sync of the connections with the application name; 0 cuts at none. */
  cutAt = 0;
  /** Sync messages since the last call of `cutDuring`. */
  syncs = 0;

  private constructor(
    private readonly passage: Passage,
    readonly url: string,
    private readonly applicationName: string,
  ) {}

  static async inFrontOf(databaseUrl: string, applicationName: string): Promise<CuttingProxy> {
    const { passage, url } = await Passage.toDatabase(databaseUrl, (client, server) => proxy.join(client, server));
    const proxy = new CuttingProxy(passage, url, applicationName);
    return proxy;
  }

  stop(): void {
    this.passage.stop();
  }

  /** Returns whether `work` sent that Sync, and what came of it. */
  async cutDuring<T>(cutAt: number, work: () => Promise<T>): Promise<{ isCut: boolean; result: T }> {
    Object.assign(this, { cutAt, syncs: 0 });
    const result = await work().finally(() => (this.cutAt = 0));
    return { isCut: this.syncs >= cutAt, result };
  }

  private join(client: Socket, server: Socket): void {
    endTogether(client, server);
    const batch = { executions: 0, answers: 0, isCutting: false };
    client.once('data', (first: Buffer) => {
      server.write(first);
      const isNamed = first.includes(this.applicationName);
      const requests = new Messages();
      client.on('data', (chunk: Buffer) => {
        for (const { type, bytes } of requests.split(chunk)) {
          if (type === 'E') batch.executions += 1;
          if (type === 'S' && isNamed && this.cutAt > 0) batch.isCutting = ++this.syncs === this.cutAt;
          server.write(batch.isCutting && type === 'S' ? FLUSH : bytes);
        }
      });
    });
    const responses = new Messages();
    server.on('data', (chunk: Buffer) => {
      client.write(chunk);
      for (const { type } of responses.split(chunk)) {
        if (type === 'C') batch.answers += 1;
        if (type === 'E') batch.answers = batch.executions;
        if (type === 'Z') Object.assign(batch, { executions: 0, answers: 0 });
      }
      if (batch.isCutting && batch.answers >= batch.executions) client.end(() => server.destroy());
    });
  }
}

/** Splits a stream into whole messages. */
class Messages {
  private rest: Buffer = Buffer.alloc(0);

  *split(chunk: Buffer): Generator<Message> {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= 5 && this.rest.length > this.rest.readUInt32BE(1)) {
      const end = this.rest.readUInt32BE(1) + 1;
      yield { type: this.rest.toString('latin1', 0, 1), bytes: this.rest.subarray(0, end) };
      this.rest = this.rest.subarray(end);
    }
  }
}
