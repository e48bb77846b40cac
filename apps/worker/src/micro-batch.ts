interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

export interface MicroBatchOptions<In, Out> {
  /** Returns one result for each item, in order. */
  readonly work: (items: readonly In[]) => Promise<readonly Out[]>;
  readonly maxItems: number;
  /** Batches that run at once. The next batch grows meanwhile, so batches get larger under load. */
  readonly maxConcurrent: number;
  /** How long the first item of a batch waits for others. */
  readonly lingerMs: number;
  /** Fewer than so many items have no company after that, and wait for it this long in all. */
  readonly company?: { readonly items: number; readonly withinMs: number };
}

/** Turns many calls for one item into few calls for many items. */
export class MicroBatch<In, Out> {
  private waiting: PendingItem<In, Out>[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  private waitsForCompany = false;

  constructor(private readonly options: MicroBatchOptions<In, Out>) {}

  run(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.scheduleFlush();
    });
  }

  private scheduleFlush(): void {
    if (this.waiting.length === 0 || this.running >= this.options.maxConcurrent) return;
    const isFull = this.waiting.length >= this.options.maxItems;
    if (isFull || (this.waitsForCompany && this.hasCompany)) return this.flush();
    this.timer ??= setTimeout(() => this.endLinger(), this.options.lingerMs);
  }

  private endLinger(): void {
    const { company, lingerMs } = this.options;
    if (!company || this.hasCompany) return this.flush();
    this.waitsForCompany = true;
    this.timer = setTimeout(() => this.flush(), company.withinMs - lingerMs);
  }

  private get hasCompany(): boolean {
    return this.waiting.length >= (this.options.company?.items ?? 1);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waitsForCompany = false;
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
      for (const { reject } of batch) reject(error);
    }
  }
}
