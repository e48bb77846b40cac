import { ACCESS_ENDED_CHANNEL } from '#libs/access';
import { BELL_CHANNEL, BellListener, POSTGRESQL, describeDatabaseOutage, parsePayload } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, OutageLog } from '#libs/telemetry';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Topic } from './live.statements.js';
import { type Fingerprints, TopicsService, topicKey, versionOf } from './topics.service.js';

/** Finds changes without a bell: deliveries, expired presences and missed notifications. */
const POLL_MS = 1000;

/** Keeps one slow account from delaying the others. */
const MAX_PARALLEL_READS = 4;

/** Notifies open pages of changes. Idle while no page is open. */
@Injectable()
export class LiveUpdatesService implements OnApplicationShutdown {
  private readonly accounts = new Map<string, AccountWatch>();
  private readonly listener: BellListener;
  private readonly accessListeners: ((id: string) => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly waiting = new Set<AccountWatch>();
  private reading: Promise<void> | undefined;

  constructor(
    private readonly topics: TopicsService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
    @Inject(LOGGER) logger: Logger,
    outages: OutageLog,
  ) {
    this.listener = new BellListener({
      url: settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL,
      channels: {
        [BELL_CHANNEL]: (payload) => this.checkAccounts(parsePayload(payload)),
        [ACCESS_ENDED_CHANNEL]: (id) => this.accessListeners.forEach((listener) => listener(id)),
      },
      onError: (error) => {
        const outage = describeDatabaseOutage(error);
        if (outage === undefined) logger.warn({ err: error }, 'the bell is unavailable, so live pages are polled');
        else outages.lasts(POSTGRESQL, outage);
      },
    });
  }

  /** Without ids, any account may have changed. */
  private checkAccounts(ids: readonly string[]): void {
    this.check(ids.length === 0 ? this.accounts.values() : ids.flatMap((id) => this.accounts.get(id) ?? []));
  }

  /** Passes the id of an ended session, grant or application. An empty one means that any may have ended. */
  onAccessEnded(listener: (id: string) => void): void {
    this.accessListeners.push(listener);
  }

  watch(accountId: string, watcher: Watcher): () => void {
    const account = this.accounts.get(accountId) ?? new AccountWatch(accountId, this.topics);
    this.accounts.set(accountId, account);
    if (!this.timer) this.listener.start();
    this.timer ??= setInterval(() => this.check(this.accounts.values()), POLL_MS).unref();
    account.add(watcher);
    return () => {
      account.watchers.delete(watcher);
      if (account.watchers.size === 0 && this.accounts.get(accountId) === account) this.accounts.delete(accountId);
    };
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    this.accounts.clear();
    this.waiting.clear();
    await this.listener.stop();
    await this.reading;
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

interface Watcher {
  readonly topics: readonly Topic[];
  /** The version that the page shows. Default: the first one that is read. */
  seen?: string | undefined;
  /** Receives the kind of the first topic. */
  readonly notify: (kind: Topic['kind'], version: string) => void;
}

/** The open pages of one account, which share each read of the fingerprints. */
class AccountWatch {
  readonly watchers = new Set<Watcher>();
  private fingerprints: Fingerprints = new Map();
  private running: Promise<void> = Promise.resolve();
  private scheduled: Promise<void> | undefined;

  constructor(
    private readonly accountId: string,
    private readonly topics: TopicsService,
  ) {}

  add(watcher: Watcher): void {
    this.watchers.add(watcher);
    if (versionOf(watcher.topics, this.fingerprints) === undefined) void this.check();
    else this.compare(watcher);
  }

  /** Reads once more, even if a read is in progress: it may miss the latest change. */
  check(): Promise<void> {
    this.scheduled ??= this.running.then(() => {
      this.scheduled = undefined;
      // A failed read counts as no change; the next read finds it.
      this.running = this.read().catch(() => undefined);
      return this.running;
    });
    return this.scheduled;
  }

  private async read(): Promise<void> {
    const topics = new Map([...this.watchers].flatMap((each) => each.topics.map((topic) => [topicKey(topic), topic])));
    if (topics.size === 0) return;
    this.fingerprints = await this.topics.fingerprints(this.accountId, [...topics.values()]);
    for (const watcher of this.watchers) this.compare(watcher);
  }

  private compare(watcher: Watcher): void {
    const version = versionOf(watcher.topics, this.fingerprints);
    const { seen } = watcher;
    const [first] = watcher.topics;
    if (version === undefined || !first || version === seen) return;
    watcher.seen = version;
    if (seen !== undefined) watcher.notify(first.kind, version);
  }
}
