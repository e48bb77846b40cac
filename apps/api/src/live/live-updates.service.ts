import { SESSION_ENDED_CHANNEL } from '#libs/access';
import { BellListener, POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { TopicsService } from './topics.service.js';
import { WatchedAccount, type Watcher } from './watched-account.js';

/** The bell makes updates faster, but deliveries do not ring it. */
const POLL_MS = 1000;
/** Accounts asked about at once, so that a slow one does not hold up all others. */
const LANES = 4;

/** Tells open pages that their content has changed. Does nothing while no page is open. */
@Injectable()
export class LiveUpdatesService implements OnApplicationShutdown {
  private readonly accounts = new Map<string, WatchedAccount>();
  private readonly listener: BellListener;
  private tellSessionEnded: (sessionId: string) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting = new Set<WatchedAccount>();
  private looking: Promise<void> | undefined;

  constructor(
    private readonly topics: TopicsService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outages: OutageLog,
  ) {
    this.listener = new BellListener({
      url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      onRing: (accountIds) => this.look(accountIds.length === 0 ? this.all() : this.named(accountIds)),
      channels: { [SESSION_ENDED_CHANNEL]: (sessionId) => this.tellSessionEnded(sessionId) },
      onError: (error) => this.tellDeaf(error),
    });
  }

  private tellDeaf(error: unknown): void {
    const words = describeDatabaseOutage(error);
    if (words === undefined) this.logger.warn({ err: error }, 'the bell is unavailable, so live pages are polled');
    else this.outages.lasts(POSTGRESQL, words);
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
    this.timer ??= setInterval(() => this.look(this.all()), POLL_MS).unref();
    account.add(watcher);
    return () => {
      account.delete(watcher);
      if (account.isEmpty && this.accounts.get(accountId) === account) this.accounts.delete(accountId);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.accounts.clear();
    this.waiting.clear();
    await this.listener.stop();
    await this.looking;
  }

  private all(): Iterable<WatchedAccount> {
    return this.accounts.values();
  }

  private named(accountIds: readonly string[]): WatchedAccount[] {
    return accountIds.flatMap((id) => this.accounts.get(id) ?? []);
  }

  /** One that is told again while it waits is looked at once. */
  private look(accounts: Iterable<WatchedAccount>): void {
    for (const account of accounts) this.waiting.add(account);
    if (this.waiting.size === 0) return;
    this.looking ??= this.lookAtWaiting().finally(() => {
      this.looking = undefined;
      this.look([]);
    });
  }

  private async lookAtWaiting(): Promise<void> {
    const lane = async (): Promise<void> => {
      for (const account of this.waiting) {
        this.waiting.delete(account);
        await account.look();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}
