import { Pool, type PoolClient, type PoolConfig } from 'pg';

/** Opened as soon as they are asked for. */
export const AT_ONCE = 6;

/** Whoever would wait longer than this for a connection has one more opened. */
const PATIENCE_MS = 100;

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * Opens few connections at once, and further ones only where those do not come back. A new connection costs PostgreSQL
 * what several events do: a process, its knowledge of the tables, and the first plans of every statement. Where many
 * requests come at once because the processor has no time, and above all after a start, more connections would take yet
 * more of it. Where statements wait for a lock or for the disk, they come back slowly, and the pool grows to its limit.
 */
export class GrowingPool extends Pool {
  private readonly most: number;
  private timer: NodeJS.Timeout | undefined;
  private returned = 0;

  constructor(config: PoolConfig) {
    super(config);
    this.most = this.options.max;
    this.options.max = Math.min(AT_ONCE, this.most);
    this.on('release', () => (this.returned += 1));
    this.on('remove', () => (this.options.max = this.within(this.totalCount)));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    const connected = callback ? super.connect(callback) : super.connect();
    if (this.waitingCount > this.idleCount) this.watch();
    return connected;
  }

  private within(count: number): number {
    return Math.min(this.most, Math.max(AT_ONCE, count));
  }

  private watch(): void {
    if (this.timer || this.options.max >= this.most) return;
    this.returned = 0;
    // What came back while the process was busy is heard of before it judges.
    this.timer = setTimeout(() => setImmediate(() => this.judge()), PATIENCE_MS).unref();
  }

  private judge(): void {
    this.timer = undefined;
    if (this.waitingCount > this.returned) this.open();
    if (this.waitingCount > 0) this.watch();
  }

  /** Whoever waits longest gets it when it is given back. */
  private open(): void {
    this.options.max = this.within(this.totalCount + 1);
    super.connect().then(
      (client) => client.release(),
      () => undefined,
    );
  }
}
