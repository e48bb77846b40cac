import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RING, formatPayload } from './bell.statements.js';
import type { AccountTx } from './connection.js';
import { Database } from './database.js';
import type { Prepared } from './statements.js';

/** NOTIFY serialises commits. A longer interval delays events. */
const MIN_INTERVAL_MS = 2;

/** Rings after a commit, never inside the transaction. Listeners also poll. */
@Injectable()
export class Bell implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private rungAt = Number.NEGATIVE_INFINITY;
  private readonly accounts = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Ringing with the commit saves a round trip. */
  ringAfter(tx: AccountTx): void {
    let isWithCommit = false;
    tx.atCommit(() => {
      isWithCommit = !this.timer && this.waitMs() <= 0;
      return isWithCommit ? this.notification(new Set([tx.accountId])) : undefined;
    });
    tx.onCommit(() => {
      if (!isWithCommit) this.ring(tx.accountId);
    });
  }

  ring(accountId: string): void {
    this.accounts.add(accountId);
    if (this.timer) return;
    const waitMs = this.waitMs();
    if (waitMs > 0) this.timer = setTimeout(() => this.ringNow(), waitMs);
    else this.ringNow();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private ringNow(): void {
    const { values } = this.notification(this.accounts);
    this.timer = undefined;
    this.accounts.clear();
    this.database
      .system()
      .rows(RING, values)
      .catch(() => undefined);
  }

  private notification(accounts: ReadonlySet<string>): Prepared {
    this.rungAt = performance.now();
    return { name: RING.name, text: RING.text, values: [formatPayload(accounts)] };
  }

  private waitMs(): number {
    return this.rungAt + MIN_INTERVAL_MS - performance.now();
  }
}
