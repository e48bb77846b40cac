import { SESSION_ENDED_CHANNEL } from '#libs/access';
import { BellListener, POSTGRESQL, describeDatabaseOutage } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AccountWatch, type Watcher } from './account-watch.js';
import { TopicsService } from './topics.service.js';

/** Finds changes without a bell: deliveries, expired presences and missed notifications. */
const POLL_MS = 1000;

/** Keeps one slow account from delaying the others. */
const MAX_PARALLEL_READS = 4;

/** Notifies open pages of changes. Idle while no page is open. */
@Injectable()
export class LiveUpdatesService implements OnApplicationShutdown {
  private readonly accounts = new Map<string, AccountWatch>();
  private readonly listener: BellListener;
  private sessionEnded: (sessionId: string) => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting = new Set<AccountWatch>();
  private reading: Promise<void> | undefined;

  constructor(
    private readonly topics: TopicsService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outages: OutageLog,
  ) {
    this.listener = new BellListener({
      url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      onRing: (accountIds) => this.check(accountIds.length === 0 ? this.accounts.values() : this.named(accountIds)),
      channels: { [SESSION_ENDED_CHANNEL]: (sessionId) => this.sessionEnded(sessionId) },
      onError: (error) => this.logOutage(error),
    });
  }

  private logOutage(error: unknown): void {
    const outage = describeDatabaseOutage(error);
    if (outage === undefined) this.logger.warn({ err: error }, 'the bell is unavailable, so live pages are polled');
    else this.outages.lasts(POSTGRESQL, outage);
  }

  /** An empty session id means that any session may have ended. */
  onSessionEnded(listener: (sessionId: string) => void): void {
    this.sessionEnded = listener;
  }

  watch(accountId: string, watcher: Watcher): () => void {
    const account = this.accounts.get(accountId) ?? new AccountWatch(accountId, this.topics);
    this.accounts.set(accountId, account);
    if (!this.timer) this.listener.start();
    this.timer ??= setInterval(() => this.check(this.accounts.values()), POLL_MS).unref();
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
    await this.reading;
  }

  private named(accountIds: readonly string[]): AccountWatch[] {
    return accountIds.flatMap((id) => this.accounts.get(id) ?? []);
  }

  private check(accounts: Iterable<AccountWatch>): void {
    for (const account of accounts) this.waiting.add(account);
    if (this.waiting.size === 0) return;
    this.reading ??= this.readWaiting().finally(() => {
      this.reading = undefined;
      this.check([]);
    });
  }

  private async readWaiting(): Promise<void> {
    const lane = async (): Promise<void> => {
      for (const account of this.waiting) {
        this.waiting.delete(account);
        await account.check();
      }
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL_READS }, lane));
  }
}
