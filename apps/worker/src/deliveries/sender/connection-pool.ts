import type { Connection } from './connection.js';

export interface PoolLimits {
  readonly maxIdle: number;
  /** An older connection closes, and the name is checked again. */
  readonly maxAgeMs: number;
}

const DEFAULT_LIMITS: PoolLimits = { maxIdle: 1_000, maxAgeMs: 60_000 };

/**
 * The addresses of open connections were checked and cannot change. Old connections close, so that a receiver can move.
 */
export class ConnectionPool {
  private readonly byOrigin = new Map<string, Connection[]>();
  private readonly oldestFirst = new Set<Connection>();

  constructor(private readonly limits: PoolLimits = DEFAULT_LIMITS) {}

  get idle(): number {
    return this.oldestFirst.size;
  }

  /** Least likely to have been closed by the receiver. */
  take(origin: string): Connection | null {
    const connections = this.byOrigin.get(origin);
    for (let connection = connections?.pop(); connection; connection = connections?.pop()) {
      this.oldestFirst.delete(connection);
      if (this.isUsable(connection)) return connection;
      connection.close();
    }
    return null;
  }

  keep(connection: Connection): void {
    if (!this.isUsable(connection)) return connection.close();
    const connections = this.byOrigin.get(connection.origin);
    if (connections) connections.push(connection);
    else this.byOrigin.set(connection.origin, [connection]);
    this.oldestFirst.add(connection);
    if (this.oldestFirst.size > this.limits.maxIdle) this.closeOldest();
  }

  forget(connection: Connection): void {
    const connections = this.byOrigin.get(connection.origin);
    this.oldestFirst.delete(connection);
    if (!connections) return;
    const place = connections.indexOf(connection);
    if (place >= 0) connections.splice(place, 1);
    if (connections.length === 0) this.byOrigin.delete(connection.origin);
  }

  closeAll(): void {
    for (const connection of this.oldestFirst) {
      this.forget(connection);
      connection.close();
    }
  }

  private isUsable(connection: Connection): boolean {
    return connection.isOpen && performance.now() - connection.openedAt < this.limits.maxAgeMs;
  }

  private closeOldest(): void {
    const [oldest] = this.oldestFirst;
    if (!oldest) return;
    this.forget(oldest);
    oldest.close();
  }
}
