import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '#test/support/api-client.js';
import { Mirror } from '#test/support/mirror.js';

const POLL_INTERVAL_MS = 500;
const ANSWER_WITHIN_MS = 30_000;
const REFUSED = 'cursor_of_another_history';
/** Rereads events from before its last one after a refusal. */
const MARGIN_MS = 60_000;

interface Feed {
  readonly events: readonly { readonly id: string; readonly created_at: string }[];
  readonly meta: { readonly cursor: string };
}

interface FollowerOptions {
  readonly bases: readonly string[];
  readonly token: string;
}

/** An external client that polls an API, and the other one after each failure, until it is stopped. */
class Polling {
  private isOver = false;
  private turn = 0;
  private readonly following: Promise<void>;

  constructor(
    private readonly bases: readonly string[],
    private readonly ask: (base: string) => Promise<void>,
  ) {
    this.following = this.follow();
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.following;
  }

  private async follow(): Promise<void> {
    while (!this.isOver) {
      await this.ask(this.bases[this.turn % this.bases.length]!).catch(() => void this.turn++);
      await delay(POLL_INTERVAL_MS);
    }
  }
}

/** Polls `GET /v1/events` by its cursor. */
export class EventsFollower {
  readonly seen = new Set<string>();
  /** How often the API refused its cursor as of another history. */
  refusals = 0;
  private cursor: string | undefined;
  private since = new Date(Date.now() - MARGIN_MS).toISOString();
  private readonly polling: Polling;

  constructor({ bases, token }: FollowerOptions) {
    this.polling = new Polling(bases, (base) => this.ask(base, token));
  }

  end(): Promise<void> {
    return this.polling.end();
  }

  private async ask(base: string, token: string): Promise<void> {
    const query = new URLSearchParams({
      per_page: '50',
      ...(this.cursor ? { cursor: this.cursor } : { since: this.since }),
    });
    const answer = await fetch(`${base}/v1/events?${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await answer.text();
    if (answer.status === 409 && text.includes(REFUSED)) {
      this.refusals++;
      this.cursor = undefined;
      return;
    }
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    const { events, meta } = JSON.parse(text) as Feed;
    for (const { id } of events) this.seen.add(id);
    const last = events.at(-1);
    if (last) this.since = new Date(Date.parse(last.created_at) - MARGIN_MS).toISOString();
    this.cursor = meta.cursor;
  }
}

/** Keeps a copy by `GET /v1/changes`. */
export class ChangesFollower {
  mirror: Mirror | undefined;
  refusals = 0;
  private readonly polling: Polling;

  constructor({ bases, token }: FollowerOptions) {
    this.polling = new Polling(bases, (base) => this.ask(new ApiClient(base, token)));
  }

  end(): Promise<void> {
    return this.polling.end();
  }

  private async ask(client: ApiClient): Promise<void> {
    this.mirror ??= new Mirror(client);
    this.mirror.ask(client);
    try {
      await this.mirror.follow();
    } catch (error) {
      if (!(error as Error).message.includes(REFUSED)) throw error;
      this.refusals++;
      this.mirror = undefined;
    }
  }
}
