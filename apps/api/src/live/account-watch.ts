import { type Topic, topicKey } from './topic.js';
import { type Fingerprints, type TopicsService, versionOf } from './topics.service.js';

export interface Watcher {
  readonly topics: readonly Topic[];
  /** The version that the page shows. Default: the first one that is read. */
  seen?: string | undefined;
  /** Receives the kind of the first topic. */
  readonly notify: (kind: Topic['kind'], version: string) => void;
}

/** The open pages of one account, which share each read of the fingerprints. */
export class AccountWatch {
  private readonly watchers = new Set<Watcher>();
  private fingerprints: Fingerprints = new Map();
  private running: Promise<void> = Promise.resolve();
  private scheduled: Promise<void> | undefined;

  constructor(
    private readonly accountId: string,
    private readonly topics: TopicsService,
  ) {}

  get isEmpty(): boolean {
    return this.watchers.size === 0;
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher);
    if (versionOf(watcher.topics, this.fingerprints) === undefined) void this.check();
    else this.compare(watcher);
  }

  delete(watcher: Watcher): void {
    this.watchers.delete(watcher);
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
