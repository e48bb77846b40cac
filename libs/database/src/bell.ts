import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RING, formatPayload, BELL_CHANNEL, parsePayload } from './bell.statements.js';
import type { AccountTx } from './connection.js';
import { Database } from './database.js';
import type { Prepared } from './statements.js';
import type { Client } from 'pg';
import { connectionOptions } from './data-source.js';
import { destroyConnection } from './pg-internals.js';
import { ResilientClient } from './resilient-client.js';

/** NOTIFY serialises commits. A longer interval delays events. */
const MIN_INTERVAL_MS = 2;

/** Rings after a commit, never inside the transaction. Listeners also look for work themselves. */
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

const RECONNECT_AFTER_MS = 1_000;

interface BellListenerOptions {
  /** PostgreSQL itself, since a pooler shares sessions and LISTEN belongs to one. */
  readonly url: string;
  /** None means that any may have changed, as after a reconnect. */
  readonly onRing: (accountIds: readonly string[]) => void;
  /** An empty payload follows a reconnect. */
  readonly channels?: Readonly<Record<string, (payload: string) => void>>;
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
    const { onRing, onError, channels = {} } = this.options;
    const client = this.createClient();
    this.client = client;
    try {
      await client.connect();
      for (const channel of [BELL_CHANNEL, ...Object.keys(channels)]) await client.query(`listen ${channel}`);
      if (this.client !== client) return;
      // Notifications may have been missed before.
      onRing([]);
      for (const handle of Object.values(channels)) handle('');
    } catch (error) {
      if (this.client !== client) return;
      onError(error);
      this.reconnectLater(client);
    }
  }

  private createClient(): Client {
    const client = new ResilientClient({ ...connectionOptions(this.options.url), application_name: 'deskwire-bell' });
    client.on('notification', ({ channel, payload }) => this.handle(channel, payload ?? ''));
    client.on('error', () => this.reconnectLater(client));
    client.on('end', () => this.reconnectLater(client));
    return client;
  }

  private handle(channel: string, payload: string): void {
    if (channel === BELL_CHANNEL) this.options.onRing(parsePayload(payload));
    else this.options.channels?.[channel]?.(payload);
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
