/** Runs one job at a time. Accounts take turns, and each has a bounded number of jobs waiting. */
export class FairQueue {
  /** In the order of their turns. An account without a waiting job has no entry. */
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private running = false;

  constructor(private readonly maxWaiting: { readonly ofAccount: number; readonly ofAll: number }) {}

  /** Undefined if there is no room for the job. */
  run<T>(accountId: string, job: () => Promise<T>): Promise<T> | undefined {
    const line = this.waiting.get(accountId) ?? [];
    if (line.length >= this.maxWaiting.ofAccount || this.size() >= this.maxWaiting.ofAll) return undefined;
    return new Promise((resolve, reject) => {
      line.push(() => job().then(resolve, reject));
      this.waiting.set(accountId, line);
      void this.work();
    });
  }

  private size(): number {
    return [...this.waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  private async work(): Promise<void> {
    if (this.running) return;
    this.running = true;
    for (let job = this.next(); job; job = this.next()) await job();
    this.running = false;
  }

  /** Of the account whose turn it is, which then goes behind all others. */
  private next(): (() => Promise<void>) | undefined {
    const [turn] = this.waiting;
    if (!turn) return undefined;
    const [accountId, line] = turn;
    const job = line.shift();
    this.waiting.delete(accountId);
    if (line.length > 0) this.waiting.set(accountId, line);
    return job;
  }
}
