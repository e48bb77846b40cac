import { setTimeout as wait } from 'node:timers/promises';
import type { BenchReceiver, Latency } from './bench-receiver.js';
import type { BenchSetup } from './bench-setup.js';
import type { BenchSubscribers } from './bench-subscribers.js';

export interface Drained {
  readonly perSecond: number;
  readonly seconds: number;
}

/** One account with webhooks at one receiver. Measures the time of its events from commit to arrival. */
export class PipelineBench {
  private constructor(
    private readonly receiver: BenchReceiver,
    private readonly subscribers: BenchSubscribers,
    private readonly accountId: string,
    private readonly webhookIds: readonly string[],
  ) {}

  static async prepare({ subscribers }: BenchSetup, receiver: BenchReceiver, webhooks: number): Promise<PipelineBench> {
    const accountId = await subscribers.createAccount();
    const ids: string[] = [];
    for (let one = 0; one < webhooks; one++) ids.push((await subscribers.subscribe(accountId, receiver.url)).webhookId);
    return new PipelineBench(receiver, subscribers, accountId, ids);
  }

  /** Commits all events at once and waits until each has arrived at one of the webhooks. */
  drain(count: number): Promise<Drained> {
    return this.untilArrived(count, () => this.emit(count));
  }

  /** The same for events that match all webhooks. */
  drainToAll(events: number): Promise<Drained> {
    const emit = () => this.subscribers.emitToAll(this.accountId, this.webhookIds, events);
    return this.untilArrived(events * this.webhookIds.length, emit);
  }

  private async untilArrived(count: number, emit: () => Promise<number>): Promise<Drained> {
    await this.receiver.reset();
    const committedAt = await emit();
    await this.receiver.waitFor(count);
    const seconds = (performance.now() - committedAt) / 1000;
    return { perSecond: count / seconds, seconds };
  }

  /** Open loop: sends each event when it is due, so that waiting shows as latency. */
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

  private emit(count: number): Promise<number> {
    return this.subscribers.emit(this.accountId, this.webhookIds, count);
  }
}
