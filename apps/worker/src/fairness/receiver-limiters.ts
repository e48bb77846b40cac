import { ReceiverLane } from './receiver-lane.js';

/** The right to have one request out. One of its functions is called when that is over. */
export interface Pass {
  /** The receiver said something, or its end of the network did. */
  readonly answered: () => void;
  /** It let the deadline pass. */
  readonly timedOut: () => void;
  /** Nothing was sent, or nothing is known. */
  readonly withdrawn: () => void;
}

interface Entry {
  readonly lane: ReceiverLane;
  readonly waiting: ((pass: Pass | null) => void)[];
}

export interface LaneWatcher {
  /** How many requests are out for longer than a prompt receiver takes. */
  slow(count: number): void;
  /** A receiver fell silent while more was waiting for it, which was turned away. */
  silent(webhookId: string): void;
}

const LOOK_MS = 100;

/**
 * Keeps receivers apart within one process. Who finds the lane full waits for as long as the receiver is heard of;
 * when it falls silent, whoever waits is turned away (null) and goes back to being owed.
 *
 * A slot is held only while a request is prompt: the worker takes as many deliveries more than its concurrency says as
 * there are requests out for longer. So receivers that hang cost sockets, but after half a second nobody's turn.
 */
export class Lanes {
  private readonly entries = new Map<string, Entry>();
  private readonly timer = setInterval(() => this.look(), LOOK_MS).unref();
  private lookedAt = performance.now();

  constructor(
    private readonly widest: number,
    private readonly watcher: LaneWatcher,
  ) {}

  enter(webhookId: string): Promise<Pass | null> {
    const entry = this.entryOf(webhookId);
    const now = performance.now();
    if (!entry.lane.isFull) return Promise.resolve(this.pass(entry, now));
    if (entry.lane.isSilent(now)) return Promise.resolve(null);
    return new Promise((resolve) => entry.waiting.push(resolve));
  }

  close(): void {
    clearInterval(this.timer);
    for (const entry of this.entries.values()) turnAway(entry);
  }

  private entryOf(webhookId: string): Entry {
    const known = this.entries.get(webhookId);
    if (known) return known;
    const entry = { lane: new ReceiverLane(this.widest), waiting: [] };
    this.entries.set(webhookId, entry);
    return entry;
  }

  private pass(entry: Entry, now: number): Pass {
    const request = entry.lane.start(now);
    const then = (end: () => void) => () => {
      end();
      this.admit(entry);
    };
    return {
      answered: then(() => request.answered(performance.now())),
      timedOut: then(request.timedOut),
      withdrawn: then(request.withdrawn),
    };
  }

  private admit(entry: Entry): void {
    while (entry.waiting.length > 0 && !entry.lane.isFull) entry.waiting.shift()!(this.pass(entry, performance.now()));
  }

  private look(): void {
    const now = performance.now();
    // After a stall of our own, answers lie unread: that silence is ours.
    const wasStalled = now - this.lookedAt > 3 * LOOK_MS;
    this.lookedAt = now;
    let slow = 0;
    for (const [webhookId, entry] of this.entries) {
      if (!wasStalled && entry.waiting.length > 0 && entry.lane.isSilent(now)) {
        turnAway(entry);
        this.watcher.silent(webhookId);
      }
      slow += entry.lane.slowCount(now);
      if (entry.lane.isForgettable && entry.waiting.length === 0) this.entries.delete(webhookId);
    }
    this.watcher.slow(slow);
  }
}

function turnAway({ waiting }: Entry): void {
  for (const resolve of waiting.splice(0)) resolve(null);
}
