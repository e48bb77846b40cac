import { setTimeout as wait } from 'node:timers/promises';
import type { BenchReceiver, Latency } from './bench-receiver.js';
import type { BenchSetup } from './bench-setup.js';

/** One account with webhooks at one receiver, and the time that its events take from commit to arrival. */
export class PipelineBench {
  private constructor(
    private readonly receiver: BenchReceiver,
    private readonly emit: (count: number) => Promise<number>,
  ) {}

  static async prepare({ subscribers }: BenchSetup, receiver: BenchReceiver, webhooks: number): Promise<PipelineBench> {
    const accountId = await subscribers.createAccount();
    const ids: string[] = [];
    for (let one = 0; one < webhooks; one++) ids.push((await subscribers.subscribe(accountId, receiver.url)).webhookId);
    return new PipelineBench(receiver, (count) => subscribers.emit(accountId, ids, count));
  }

  /** Commits all events at once and waits until they have arrived. */
  async drain(count: number): Promise<{ perSecond: number; seconds: number }> {
    await this.receiver.reset();
    const committedAt = await this.emit(count);
    await this.receiver.waitFor(count);
    const seconds = (performance.now() - committedAt) / 1000;
    return { perSecond: count / seconds, seconds };
  }

  /** Open loop: an event when it is due, whatever the pipeline does, so that waiting shows as latency. */
  async latency({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<Latency> {
    await this.receiver.reset();
    const started = performance.now();
    const total = perSecond * seconds;
    for (let sent = 0; sent < total; await wait(1)) {
      const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
      for (; sent < due; sent++) await this.emit(1);
    }
    return this.receiver.waitFor(total);
  }
}
