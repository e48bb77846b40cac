import { BellListener } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Topic, Topics } from './topics.js';

/** The bell makes updates faster, but deliveries do not ring it. */
const POLL_MS = 1000;
/** The count starts again after this time, so that it stays small. */
const WINDOW_MS = 10 * 60_000;

interface WatchedTopic {
  readonly accountId: string;
  readonly topic: Topic;
  readonly watchers: Set<(topic: Topic) => void>;
  since: Date;
  fingerprint: Promise<string>;
}

/** Tells open pages that their content has changed. Does nothing while no page is open. */
@Injectable()
export class LiveUpdates implements OnApplicationShutdown {
  private readonly watched = new Map<string, WatchedTopic>();
  private readonly listener: BellListener;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private pollAgain = false;

  constructor(
    private readonly topics: Topics,
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.listener = new BellListener({
      url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      onRing: () => this.poll(),
      onError: (error) => this.logger.warn({ err: error }, 'the bell cannot be heard, so live pages are polled'),
    });
  }

  /** Watches until the returned function is called. */
  watch(accountId: string, topic: Topic, tell: (topic: Topic) => void): () => void {
    const key = `${accountId} ${JSON.stringify(topic)}`;
    const watched = this.watched.get(key) ?? this.startWatching(key, accountId, topic);
    watched.watchers.add(tell);
    return () => {
      watched.watchers.delete(tell);
      if (watched.watchers.size === 0) this.watched.delete(key);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.watched.clear();
    await this.listener.stop();
    await this.polling;
  }

  private startWatching(key: string, accountId: string, topic: Topic): WatchedTopic {
    const since = this.topics.windowStart();
    const watched = {
      accountId,
      topic,
      watchers: new Set<() => void>(),
      since,
      fingerprint: this.fingerprint(accountId, topic, since),
    };
    this.watched.set(key, watched);
    if (!this.timer) this.listener.start();
    this.timer ??= setInterval(() => this.poll(), POLL_MS).unref();
    return watched;
  }

  /** Never runs twice at once. A ring during a poll causes one more poll. */
  private poll(): void {
    if (this.polling) {
      this.pollAgain = true;
      return;
    }
    this.polling = this.pollAll().finally(() => {
      this.polling = undefined;
      if (this.pollAgain) {
        this.pollAgain = false;
        this.poll();
      }
    });
  }

  private async pollAll(): Promise<void> {
    for (const watched of this.watched.values()) await this.pollTopic(watched);
  }

  private async pollTopic(watched: WatchedTopic): Promise<void> {
    const { accountId, topic, since } = watched;
    const before = await watched.fingerprint;
    const now = await this.fingerprint(accountId, topic, since);
    if (now !== before) for (const tell of watched.watchers) tell(topic);
    watched.fingerprint = Promise.resolve(now);
    const start = this.topics.windowStart();
    if (start.getTime() - since.getTime() > WINDOW_MS) {
      watched.since = start;
      watched.fingerprint = this.fingerprint(accountId, topic, start);
    }
  }

  /** A failed query counts as no change. Each page also refreshes itself once a minute. */
  private fingerprint(accountId: string, topic: Topic, since: Date): Promise<string> {
    return this.topics.fingerprint(accountId, topic, since).catch(() => '');
  }
}
