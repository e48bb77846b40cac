import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Ask } from './ask.js';
import type { Receiver } from './receiver.js';

/** Longer than the relay waits for what it was not told of. */
const QUIET_MS = 1000;
const SETTLED_MS = 90_000;
const HEARD_MS = 10_000;
const RUNNING = new Set(['counting', 'running']);

interface Product {
  readonly tokens: Readonly<Record<string, string>>;
  readonly receiver: Receiver;
  send(line: string, ask: Ask): Promise<Answer>;
  /** The feed tells the ids of events in the one order that is certain. */
  know(id: string): void;
}

/** Waits for what happens by itself, so that it never depends on luck how far it is. Nothing of it is written down. */
export class Quiet {
  /** In the feed of events, once every kind is listened to. */
  private place: string | undefined;
  /** Webhooks that were asked to be sent again. */
  private readonly replayed = new Set<string>();

  constructor(private readonly product: Product) {}

  /** From now on each event must have arrived at `/hook/…` before the next request changes anything. */
  async listen(): Promise<void> {
    this.place = '';
    await this.hear();
  }

  /** After each request. */
  async after(line: string, { status }: Answer): Promise<void> {
    if (/^(GET|HEAD|OPTIONS)/.test(line) || status >= 400) return;
    const [, replayed] = /\/webhooks\/([\da-f-]{36})\/replay$/.exec(line) ?? [];
    if (replayed) this.replayed.add(replayed);
    await this.hear();
  }

  /** Until everything that happened was delivered or given up, and nothing more comes. */
  async settle(): Promise<void> {
    for (const deadline = Date.now() + SETTLED_MS; Date.now() < deadline;) {
      const before = this.product.receiver.count;
      await pause(QUIET_MS);
      if (this.product.receiver.count === before && !(await this.isOwed())) return;
    }
    throw new Error('Deliveries did not come to an end.');
  }

  /**
   * What happens within one batch of the relay stands in no certain order in the lists of deliveries. So there is never
   * more than one action under way.
   */
  private async hear(): Promise<void> {
    const missing = new Set<string>();
    const deadline = Date.now() + HEARD_MS;
    for (let quiet = 0; this.place !== undefined && quiet < 2 && Date.now() < deadline;) {
      const { json } = await this.poll(`/v1/events?per_page=50&cursor=${this.place}`);
      this.place = encodeURIComponent(json.meta.cursor);
      for (const { id } of json.events) {
        missing.add(id);
        this.product.know(id);
      }
      for (const id of missing) if (this.product.receiver.heard(id)) missing.delete(id);
      quiet = json.events.length === 0 && missing.size === 0 ? quiet + 1 : 0;
      await pause(10);
    }
  }

  private async isOwed(): Promise<boolean> {
    const { json } = await this.poll('/v1/webhooks?per_page=50&state=active');
    const ids = (json.webhooks as { id: string }[]).map(({ id }) => id);
    const pending = ids.map((id) => this.poll(`/v1/webhooks/${id}/deliveries?state=pending&per_page=1`));
    const replays = [...this.replayed].map((id) => this.poll(`/v1/webhooks/${id}/replays?per_page=1`));
    const isOwed = (await Promise.all(pending)).some((list) => list.json.deliveries.length > 0);
    return (await Promise.all(replays)).some((list) => RUNNING.has(list.json.replays?.[0]?.state)) || isOwed;
  }

  private poll(path: string): Promise<Answer> {
    return this.product.send(`GET ${path}`, { as: 'poll' });
  }
}
