import { BellListener } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Topic, Topics } from './topics.js';

/** The bell only saves waiting; deliveries do not ring it at all. */
const LOOK_MS = 1000;
/** After this the growing count starts anew, so that it stays small. */
const RENEW_MS = 10 * 60_000;

interface Watched {
  readonly accountId: string;
  readonly topic: Topic;
  readonly watchers: Set<(topic: Topic) => void>;
  since: Date;
  answer: Promise<string>;
}

/** Tells open pages that what they show has changed. Costs nothing while nobody looks. */
@Injectable()
export class LiveUpdates implements OnApplicationShutdown {
  private readonly watched = new Map<string, Watched>();
  private readonly listener: BellListener;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly topics: Topics,
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.listener = new BellListener({
      url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      onRing: () => this.look(),
      onSilence: (error) => this.logger.warn({ err: error }, 'the bell cannot be heard, so live pages are polled'),
    });
  }

  /** Until the function that it returns is called. */
  watch(accountId: string, topic: Topic, tell: (topic: Topic) => void): () => void {
    const key = `${accountId} ${JSON.stringify(topic)}`;
    const watched = this.watched.get(key) ?? this.begin(key, accountId, topic);
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
    await this.looking;
  }

  private begin(key: string, accountId: string, topic: Topic): Watched {
    const since = this.topics.start();
    const watched = {
      accountId,
      topic,
      watchers: new Set<() => void>(),
      since,
      answer: this.ask(accountId, topic, since),
    };
    this.watched.set(key, watched);
    if (!this.timer) this.listener.start();
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
    return watched;
  }

  /** Never twice at once: rings during a look are answered by one more. */
  private look(): void {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = this.lookAtAll().finally(() => {
      this.looking = undefined;
      if (this.again) {
        this.again = false;
        this.look();
      }
    });
  }

  private async lookAtAll(): Promise<void> {
    for (const watched of this.watched.values()) await this.lookAt(watched);
  }

  private async lookAt(watched: Watched): Promise<void> {
    const { accountId, topic, since } = watched;
    const before = await watched.answer;
    const now = await this.ask(accountId, topic, since);
    if (now !== before) for (const tell of watched.watchers) tell(topic);
    watched.answer = Promise.resolve(now);
    const start = this.topics.start();
    if (start.getTime() - since.getTime() > RENEW_MS) {
      watched.since = start;
      watched.answer = this.ask(accountId, topic, start);
    }
  }

  /** An answer that could not be had is no change; the page asks again by itself once a minute. */
  private ask(accountId: string, topic: Topic, since: Date): Promise<string> {
    return this.topics.ask(accountId, topic, since).catch(() => '');
  }
}
