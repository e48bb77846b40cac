import { Client } from 'pg';
import { BELL_CHANNEL } from './bell.js';

const AGAIN_MS = 1000;

export interface BellListenerOptions {
  /** A connection of its own: LISTEN belongs to a session, and poolers share sessions. */
  readonly url: string;
  /** Rung, or nobody was listening for a while: look. */
  readonly onRing: () => void;
  readonly onSilence: (error: unknown) => void;
}

/** Hears the bell for as long as it is not stopped, and comes back after every loss of its connection. */
export class BellListener {
  private client: Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: BellListenerOptions) {}

  start(): void {
    void this.listen();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const { url, onRing, onSilence } = this.options;
    const client = new Client({ connectionString: url, application_name: 'deskwire-bell', keepAlive: true });
    this.client = client;
    client.on('notification', onRing);
    client.on('error', () => this.again(client));
    client.on('end', () => this.again(client));
    try {
      await client.connect();
      await client.query(`listen ${BELL_CHANNEL}`);
      onRing();
    } catch (error) {
      onSilence(error);
      this.again(client);
    }
  }

  /** Both events may come, and a failed start as well: the first one counts. */
  private again(client: Client): void {
    if (this.stopped || this.client !== client) return;
    this.client = undefined;
    client.end().catch(() => undefined);
    this.timer = setTimeout(() => void this.listen(), AGAIN_MS);
  }
}
