import { BELL_CHANNEL } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import { Relay } from './relay.service.js';

const LOOK_AGAIN_MS = 30_000;

/**
 * Wakes the relay as soon as something is committed anywhere. Its connection is its own, because LISTEN belongs to a
 * session and poolers share sessions; while it is away, the relay polls.
 */
@Injectable()
export class BellListener {
  private readonly loop = new Loop({
    round: () => this.ensureListening(),
    onError: (error) => this.journal.interrupted('the bell cannot be heard, so the relay polls', error),
  });
  private client: Client | undefined;

  constructor(
    private readonly relay: Relay,
    private readonly journal: Journal,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    const client = this.client;
    this.client = undefined;
    await client?.end().catch(() => undefined);
  }

  private async ensureListening(): Promise<number> {
    if (this.client) return LOOK_AGAIN_MS;
    const client = new Client({
      connectionString: this.settings.DATABASE_DIRECT_URL ?? this.settings.DATABASE_URL,
      application_name: 'deskwire-bell',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    client.on('error', () => this.dropped(client));
    client.on('end', () => this.dropped(client));
    client.on('notification', () => this.relay.wake());
    await client.connect();
    await client.query(`listen ${BELL_CHANNEL}`);
    this.client = client;
    // Whatever was rung while nobody listened.
    this.relay.wake();
    return LOOK_AGAIN_MS;
  }

  private dropped(client: Client): void {
    if (this.client !== client) return;
    this.client = undefined;
    void client.end().catch(() => undefined);
    this.loop.wake();
  }
}
