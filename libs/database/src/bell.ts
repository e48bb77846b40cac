import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RING, RING_RELAY, formatPayload } from './bell.statements.js';
import type { AccountTx } from './connection.js';
import { Database } from './database.js';
import type { Prepared, SystemStatement } from './statements.js';

/** NOTIFY serialises commits, and pages need no more. */
const MIN_INTERVAL_MS = 20;

/** Events committed in this time share a notification of the relay. */
const RELAY_DELAY_MS = 2;

/** Rings after a commit, never inside the transaction. Listeners also look for work themselves. */
@Injectable()
export class Bell implements OnApplicationShutdown {
  failures = 0;
  private timer: NodeJS.Timeout | undefined;
  private relayTimer: NodeJS.Timeout | undefined;
  private rungAt = Number.NEGATIVE_INFINITY;
  private readonly accounts = new Set<string>();
  private readonly relayAccounts = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly outages?: { lasts(what: string, words: string): void },
  ) {}

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

  ringRelay(accountId: string): void {
    this.relayAccounts.add(accountId);
    this.relayTimer ??= setTimeout(() => {
      this.relayTimer = undefined;
      this.send(RING_RELAY, [formatPayload(this.relayAccounts)]);
      this.relayAccounts.clear();
    }, RELAY_DELAY_MS);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    clearTimeout(this.relayTimer);
  }

  private ringNow(): void {
    const { values } = this.notification(this.accounts);
    this.timer = undefined;
    this.accounts.clear();
    this.send(RING, values);
  }

  /** Listeners also poll, so a failure only delays them. */
  private send(statement: SystemStatement, values: readonly unknown[]): void {
    this.database
      .system()
      .rows(statement, values)
      .catch((error: unknown) => {
        this.failures += 1;
        this.outages?.lasts('bell', `Notifications fail, so listeners poll: ${String(error)}`);
      });
  }

  private notification(accounts: ReadonlySet<string>): Prepared {
    this.rungAt = performance.now();
    return { name: RING.name, text: RING.text, values: [formatPayload(accounts)] };
  }

  private waitMs(): number {
    return this.rungAt + MIN_INTERVAL_MS - performance.now();
  }
}
