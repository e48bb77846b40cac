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
abstract class Follower {
  /** How often the API refused its cursor as of another history. */
  refusals = 0;
  private isOver = false;
  private turn = 0;
  private following: Promise<void> | undefined;

  constructor(protected readonly options: FollowerOptions) {}

  start(): this {
    this.following = this.follow();
    return this;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.following;
  }

  /** One page. */
  protected abstract ask(base: string): Promise<void>;

  private async follow(): Promise<void> {
    while (!this.isOver) {
      const { bases } = this.options;
      await this.ask(bases[this.turn % bases.length]!).catch(() => void this.turn++);
      await delay(POLL_INTERVAL_MS);
    }
  }
}

/** Polls `GET /v1/events` by its cursor. */
export class EventsFollower extends Follower {
  readonly seen = new Set<string>();
  private cursor: string | undefined;
  private since = new Date(Date.now() - MARGIN_MS).toISOString();

  protected async ask(base: string): Promise<void> {
    const query = new URLSearchParams({
      per_page: '50',
      ...(this.cursor ? { cursor: this.cursor } : { since: this.since }),
    });
    const answer = await fetch(`${base}/v1/events?${query}`, {
      headers: { authorization: `Bearer ${this.options.token}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await answer.text();
    if (answer.status === 409 && text.includes(REFUSED)) return this.beginAgain();
    if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    const { events, meta } = JSON.parse(text) as Feed;
    for (const { id } of events) this.seen.add(id);
    const last = events.at(-1);
    if (last) this.since = new Date(Date.parse(last.created_at) - MARGIN_MS).toISOString();
    this.cursor = meta.cursor;
  }

  private beginAgain(): void {
    this.refusals++;
    this.cursor = undefined;
  }
}

/** Keeps a copy by `GET /v1/changes`. */
export class ChangesFollower extends Follower {
  mirror: Mirror | undefined;
  /** Versions before this feed do not support it. */
  isThere = true;

  protected async ask(base: string): Promise<void> {
    const client = new ApiClient(base, this.options.token);
    this.mirror ??= new Mirror(client);
    this.mirror.ask(client);
    try {
      await this.mirror.follow();
    } catch (error) {
      const { message } = error as Error;
      this.isThere &&= !message.startsWith('404 ');
      if (!message.includes(REFUSED)) throw error;
      this.refusals++;
      this.mirror = undefined;
    }
  }
}
