import type { Client } from 'pg';
import { connectionOptions } from './data-source.js';
import { destroyConnection } from './pg-internals.js';
import { ResilientClient } from './resilient-client.js';

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
