import { type Topic, topicKey } from './topic.js';
import { type Fingerprints, type TopicsService, versionOf } from './topics.service.js';

/** An open page. */
export interface Watcher {
  readonly topics: readonly Topic[];
  /** The version that the page was drawn from, until it has been compared. */
  seen?: string | undefined;
  /** Something changed. `version` is what the page will have when it has loaded the change. */
  readonly tell: (kind: Topic['kind'], version: string) => void;
}

interface Known {
  readonly since: Date;
  readonly fingerprints: Fingerprints;
}

/** The open pages of one account. One question to the database answers all of them. */
export class WatchedAccount {
  private readonly watchers = new Set<Watcher>();
  private known: Known = { since: new Date(0), fingerprints: new Map() };
  private running: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | undefined;

  constructor(
    private readonly accountId: string,
    private readonly topics: TopicsService,
  ) {}

  get isEmpty(): boolean {
    return this.watchers.size === 0;
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher);
    if (this.versionFor(watcher) === undefined) void this.look();
    else this.compareWithPage(watcher);
  }

  delete(watcher: Watcher): void {
    this.watchers.delete(watcher);
  }

  /** Asks once more after this call, whatever is being asked at the moment. */
  look(): Promise<void> {
    this.waiting ??= this.running.then(() => {
      this.waiting = undefined;
      this.running = this.ask().catch(() => undefined);
      return this.running;
    });
    return this.waiting;
  }

  /** A question that fails counts as no change; the next one tells it. */
  private async ask(): Promise<void> {
    const topics = [
      ...new Map(
        [...this.watchers].flatMap((watcher) => watcher.topics.map((topic) => [topicKey(topic), topic] as const)),
      ).values(),
    ];
    if (topics.length === 0) return;
    const { since: oldSince, fingerprints: before } = this.known;
    const since = this.topics.windowStart();
    // The new window is asked first: what is committed between the two questions is then told twice, and never lost.
    const fingerprints = await this.topics.fingerprints(this.accountId, topics, since);
    const isComparable = before.size === 0 || oldSince.getTime() === since.getTime();
    const now = isComparable ? fingerprints : await this.topics.fingerprints(this.accountId, topics, oldSince);
    this.known = { since, fingerprints };
    this.tellChanges(before, now);
  }

  private tellChanges(before: Fingerprints, now: Fingerprints): void {
    for (const watcher of this.watchers) {
      const version = this.versionFor(watcher);
      if (version === undefined) continue;
      const changed = watcher.topics.filter((topic) => hasChanged(topicKey(topic), before, now));
      for (const { kind } of changed) watcher.tell(kind, version);
      if (changed.length > 0) watcher.seen = undefined;
      this.compareWithPage(watcher);
    }
  }

  /** Tells what changed after the page was drawn and before it was watched. */
  private compareWithPage(watcher: Watcher): void {
    const version = this.versionFor(watcher);
    const [first] = watcher.topics;
    if (version === undefined || watcher.seen === undefined || !first) return;
    if (watcher.seen !== version) watcher.tell(first.kind, version);
    watcher.seen = undefined;
  }

  private versionFor({ topics }: Watcher): string | undefined {
    return versionOf(topics, this.known.since, this.known.fingerprints);
  }
}

const hasChanged = (key: string, before: Fingerprints, now: Fingerprints): boolean =>
  before.has(key) && now.has(key) && before.get(key) !== now.get(key);
