import { setTimeout as wait } from 'node:timers/promises';
import type { BenchProcess } from '../bench-process.js';

const ARRIVAL_TIMEOUT_MS = 30 * 60_000;

export interface Latency {
  readonly seen: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A receiver in its own process that reports the requests it received. */
export class BenchReceiver {
  private constructor(
    readonly pid: number,
    readonly url: string,
  ) {}

  static async of(child: BenchProcess): Promise<BenchReceiver> {
    const { port } = await child.nextJsonWith<{ port: number }>('port');
    return new BenchReceiver(child.pid, `http://127.0.0.1:${port}/`);
  }

  async reset(): Promise<void> {
    await fetch(this.url, { method: 'DELETE' });
  }

  async seen(): Promise<number> {
    return ((await (await fetch(`${this.url}seen`)).json()) as { seen: number }).seen;
  }

  async waitFor(count: number): Promise<Latency> {
    for (const end = Date.now() + ARRIVAL_TIMEOUT_MS; Date.now() < end; await wait(20)) {
      if ((await this.seen()) >= count) return (await (await fetch(this.url)).json()) as Latency;
    }
    throw new Error(`Fewer than ${count} deliveries arrived within half an hour.`);
  }
}
