import { setTimeout as delay } from 'node:timers/promises';
import { UnreliableReceiver } from './unreliable-receiver.js';

const PAUSE_MS = 50;

/** Asks a receiver of its own again and again, and so knows how long the requests of a worker take at most when all is well. */
export class ReceiverProbe {
  private readonly receiver = new UnreliableReceiver();
  private isEnding = false;
  private longest = 0;
  private asking: Promise<void> | undefined;

  async start(): Promise<void> {
    await this.receiver.start();
    this.asking = this.askUntilEnd();
  }

  /** What the slowest request took since it was last forgotten. */
  get longestMs(): number {
    return this.longest;
  }

  forget(): void {
    this.longest = 0;
  }

  async close(): Promise<void> {
    this.isEnding = true;
    await this.asking;
    this.receiver.close();
  }

  private async askUntilEnd(): Promise<void> {
    while (!this.isEnding) {
      const began = performance.now();
      // Where everything stood still, the server may have ended the connection meanwhile. It took as long.
      await fetch(this.receiver.url, { method: 'POST' }).catch(() => undefined);
      this.longest = Math.max(this.longest, performance.now() - began);
      this.receiver.forget();
      await delay(PAUSE_MS);
    }
  }
}
