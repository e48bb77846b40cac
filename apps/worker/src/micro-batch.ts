interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
}

export interface MicroBatchOptions {
  readonly maxItems?: number;
  /** An item waits this long for others; by default only for those of the same turn of the event loop. */
  readonly lingerMs?: number;
}

/** Larger batches hold locks longer. */
const MAX_ITEMS = 200;

/** While a batch runs, the next one grows. */
export class MicroBatch<In, Out> {
  private waiting: PendingItem<In, Out>[] = [];
  private isRunning = false;
  private cancelFlush: (() => void) | undefined;
  private readonly maxItems: number;
  private readonly lingerMs: number;

  /** `perform` returns one result per item, in order. An item that goes to a later batch has a promise. */
  constructor(
    private readonly perform: (items: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>,
    { maxItems = MAX_ITEMS, lingerMs = 0 }: MicroBatchOptions = {},
  ) {
    this.maxItems = maxItems;
    this.lingerMs = lingerMs;
  }

  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.scheduleFlush();
    });
  }

  private scheduleFlush(): void {
    if (this.waiting.length === 0 || this.isRunning) return;
    if (this.waiting.length >= this.maxItems) return this.flush();
    this.cancelFlush ??= this.flushLater();
  }

  private flushLater(): () => void {
    // A timer takes at least a millisecond.
    if (this.lingerMs === 0) {
      const immediate = setImmediate(() => this.flush());
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(() => this.flush(), this.lingerMs);
    return () => clearTimeout(timer);
  }

  private flush(): void {
    // After a full batch, it would cut short the linger of the next item.
    this.cancelFlush?.();
    this.cancelFlush = undefined;
    if (this.isRunning || this.waiting.length === 0) return;
    this.isRunning = true;
    void this.work(this.waiting.splice(0, this.maxItems)).finally(() => {
      this.isRunning = false;
      this.scheduleFlush();
    });
  }

  private async work(batch: readonly PendingItem<In, Out>[]): Promise<void> {
    try {
      const results = await this.perform(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Out | Promise<Out>);
    } catch (error) {
      // One bad item must not fail the others.
      if (batch.length > 1) await Promise.all(batch.map((one) => this.work([one])));
      else batch[0]?.reject(error);
    }
  }
}
