import { SESSION_ENDED_CHANNEL } from '#libs/access';
import { BellListener } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Topics } from './topics.js';
import { WatchedAccount, type Watcher } from './watched-account.js';

/** The bell makes updates faster, but deliveries do not ring it. */
const POLL_MS = 1000;
/** Accounts asked about at once, so that a slow one does not hold up all others. */
const LANES = 4;

/** Tells open pages that their content has changed. Does nothing while no page is open. */
@Injectable()
export class LiveUpdates implements OnApplicationShutdown {
  private readonly accounts = new Map<string, WatchedAccount>();
  private readonly listener: BellListener;
  private tellSessionEnded: (sessionId: string) => void = () => undefined;
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
      channels: { [SESSION_ENDED_CHANNEL]: (sessionId) => this.tellSessionEnded(sessionId) },
      onError: (error) => this.logger.warn({ err: error }, 'the bell cannot be heard, so live pages are polled'),
    });
  }

  /** Hears of sessions that ended, in any process. Without an id it may have been any of them. */
  onSessionEnded(tell: (sessionId: string) => void): void {
    this.tellSessionEnded = tell;
  }

  /** Watches until the returned function is called. */
  watch(accountId: string, watcher: Watcher): () => void {
    const account = this.accounts.get(accountId) ?? new WatchedAccount(accountId, this.topics);
    this.accounts.set(accountId, account);
    if (!this.timer) this.listener.start();
    this.timer ??= setInterval(() => this.poll(), POLL_MS).unref();
    account.add(watcher);
    return () => {
      account.delete(watcher);
      if (account.isEmpty && this.accounts.get(accountId) === account) this.accounts.delete(accountId);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.accounts.clear();
    await this.listener.stop();
    await this.polling;
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
    const accounts = this.accounts.values();
    const lane = async (): Promise<void> => {
      for (const account of accounts) await account.look();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}
