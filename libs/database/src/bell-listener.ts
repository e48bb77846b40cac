import type { Client } from 'pg';
import { BELL_CHANNEL, heardAccounts } from './bell.js';
import { connectionOptions } from './connection-options.js';
import { ResilientClient } from './resilient-client.js';

const AGAIN_MS = 1_000;

export interface BellListenerOptions {
  /** A connection of its own: LISTEN belongs to a session, and poolers share sessions. */
  readonly url: string;
  /** Rung for these accounts: look. None are named where it may be any, as when nobody was listening for a while. */
  readonly onRing: (accountIds: readonly string[]) => void;
  /**
   * Other channels that are heard over the same connection, each with what to do with what is said there. It is empty
   * when nobody was listening for a while: look.
   */
  readonly channels?: Readonly<Record<string, (payload: string) => void>>;
  /** The bell cannot be heard. Said again each time that it is tried in vain. */
  readonly onError: (error: unknown) => void;
}

/** Hears the bell from start to stop, and comes back after every loss of its connection. */
export class BellListener {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BellListenerOptions) {}

  start(): void {
    void this.listen();
  }

  stop(): Promise<void> {
    clearTimeout(this.timer);
    this.hangUp();
    return Promise.resolve();
  }

  private async listen(): Promise<void> {
    const { onRing, onError, channels = {} } = this.options;
    const client = this.dial();
    this.client = client;
    try {
      await client.connect();
      for (const channel of [BELL_CHANNEL, ...Object.keys(channels)]) await client.query(`listen ${channel}`);
      // Whatever was rung while nobody listened.
      if (this.client !== client) return;
      onRing([]);
      for (const hear of Object.values(channels)) hear('');
    } catch (error) {
      if (this.client !== client) return;
      onError(error);
      this.again(client);
    }
  }

  private dial(): Client {
    const client = new ResilientClient({ ...connectionOptions(this.options.url), application_name: 'deskwire-bell' });
    client.on('notification', ({ channel, payload }) => this.hear(channel, payload ?? ''));
    // A dying connection may fail more than once, and in the moment it is ready: heard from the first to the last.
    client.on('error', () => this.again(client));
    client.on('end', () => this.again(client));
    return client;
  }

  private hear(channel: string, payload: string): void {
    if (channel === BELL_CHANNEL) this.options.onRing(heardAccounts(payload));
    else this.options.channels?.[channel]?.(payload);
  }

  /** Both events may come, and a failed start as well: the first one counts. */
  private again(client: Client): void {
    if (this.client !== client) return;
    this.hangUp();
    this.timer = setTimeout(() => void this.listen(), AGAIN_MS);
  }

  /** Without a goodbye: there is nothing to finish, and a server that stands still would not answer it. */
  private hangUp(): void {
    const { client } = this;
    this.client = undefined;
    client?.connection.stream.destroy();
  }
}
