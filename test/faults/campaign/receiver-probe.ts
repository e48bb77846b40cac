import { setTimeout as delay } from 'node:timers/promises';
import { UnreliableReceiver } from './unreliable-receiver.js';

const PAUSE_MS = 50;

/** Sends requests to a receiver of its own, to learn the maximum duration of a worker's requests without faults. */
export class ReceiverProbe {
  private readonly receiver = new UnreliableReceiver();
  private isEnding = false;
  private longest = 0;
  private asking: Promise<void> | undefined;

  async start(): Promise<void> {
    await this.receiver.start();
    this.asking = this.askUntilEnd();
  }

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
      // The server may have ended the connection during a standstill, which took as long.
      await fetch(this.receiver.url, { method: 'POST' }).catch(() => undefined);
      this.longest = Math.max(this.longest, performance.now() - began);
      this.receiver.forget();
      await delay(PAUSE_MS);
    }
  }
}
