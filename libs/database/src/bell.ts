import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RING, RING_RELAY, formatPayload } from './bell.statements.js';
import type { AccountTx } from './connection.js';
import { Database } from './database.js';
import type { Prepared, SystemStatement } from './statements.js';
import type { Client } from 'pg';
import { connectionOptions } from './data-source.js';
import { destroyConnection } from './pg-internals.js';
import { ResilientClient } from './resilient-client.js';

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

const RECONNECT_AFTER_MS = 1_000;

interface BellListenerOptions {
  /** PostgreSQL itself, since a pooler shares sessions and LISTEN belongs to one. */
  readonly url: string;
  /** An empty payload follows a reconnect. */
  readonly channels: Readonly<Record<string, (payload: string) => void>>;
  readonly onError: (error: unknown) => void;
}

export class BellListener {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BellListenerOptions) {}

  start(): void {
    void this.listen();
  }

  stop(): Promise<void> {
    clearTimeout(this.timer);
    this.disconnect();
    return Promise.resolve();
  }

  private async listen(): Promise<void> {
    const { onError, channels } = this.options;
    const client = this.createClient();
    this.client = client;
    try {
      await client.connect();
      for (const channel of Object.keys(channels)) await client.query(`listen ${channel}`);
      if (this.client !== client) return;
      // Notifications may have been missed before.
      for (const handle of Object.values(channels)) handle('');
    } catch (error) {
      if (this.client !== client) return;
      onError(error);
      this.reconnectLater(client);
    }
  }

  private createClient(): Client {
    const client = new ResilientClient({ ...connectionOptions(this.options.url), application_name: 'deskwire-bell' });
    client.on('notification', ({ channel, payload }) => this.options.channels[channel]?.(payload ?? ''));
    client.on('error', () => this.reconnectLater(client));
    client.on('end', () => this.reconnectLater(client));
    return client;
  }

  /** A lost connection can emit several events; the first counts. */
  private reconnectLater(client: Client): void {
    if (this.client !== client) return;
    this.disconnect();
    this.timer = setTimeout(() => void this.listen(), RECONNECT_AFTER_MS);
  }

  private disconnect(): void {
    const { client } = this;
    this.client = undefined;
    if (client) destroyConnection(client);
  }
}
