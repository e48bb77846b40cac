import { setTimeout as delay } from 'node:timers/promises';
import { isTransientError } from '#libs/database';

interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

interface MicroBatchOptions<In, Out> {
  /** One result per item, in order. */
  readonly work: (items: readonly In[]) => Promise<readonly Out[]>;
  readonly maxItems: number;
  /** While these run, the next batch grows. */
  readonly maxConcurrent: number;
  /** An item waits this long for others. */
  readonly lingerMs: number;
}

export class MicroBatch<In, Out> {
  private waiting: PendingItem<In, Out>[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: MicroBatchOptions<In, Out>) {}

  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.scheduleFlush();
    });
  }

  private scheduleFlush(): void {
    if (this.waiting.length === 0 || this.running >= this.options.maxConcurrent) return;
    if (this.waiting.length >= this.options.maxItems) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), this.options.lingerMs);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.running >= this.options.maxConcurrent) return;
    const batch = this.waiting.splice(0, this.options.maxItems);
    this.running += 1;
    void this.work(batch).finally(() => {
      this.running -= 1;
      this.scheduleFlush();
    });
    this.scheduleFlush();
  }

  private async work(batch: readonly PendingItem<In, Out>[]): Promise<void> {
    try {
      const results = await this.options.work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out);
    } catch (error) {
      // One bad item must not fail the others.
      if (batch.length > 1) await Promise.all(batch.map((one) => this.work([one])));
      else batch[0]?.reject(error);
    }
  }
}

const RETRY_PAUSES_MS = [50, 100, 250, 500, 1_000];

/** A job waits here while PostgreSQL is away. */
export async function retryTransient<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransientError(error)) throw error;
      await delay(RETRY_PAUSES_MS[Math.min(failures, RETRY_PAUSES_MS.length - 1)]);
    }
  }
}
