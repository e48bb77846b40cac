import { ReceiverLane } from './receiver-lane.js';

interface Waiting {
  readonly since: number;
  readonly resolve: (pass: Pass | null) => void;
}

interface Queue {
  readonly lane: ReceiverLane;
  readonly waiting: Waiting[];
}

/** The right to have one request out; told how it went when it is over. */
export interface Pass {
  readonly answered: () => void;
  readonly timedOut: () => void;
}

/** A full lane that still moves makes the next ones wait here; a few, and not for long. */
const WAITING_AT_MOST = 64;
const LOOK_MS = 100;

/**
 * Keeps receivers apart within one process. Whoever is turned away (null) goes back to being owed.
 *
 * A slot is held only while a request is prompt: `slow` counts the requests that are out for longer, and the worker
 * takes that many jobs more than its concurrency says. So receivers that hang cost sockets, but nobody's turn.
 */
export class Lanes {
  private readonly queues = new Map<string, Queue>();
  private readonly timer = setInterval(() => this.look(), LOOK_MS).unref();

  constructor(
    private readonly widest: number,
    private readonly onSlow: (slow: number) => void,
  ) {}

  enter(webhookId: string): Promise<Pass | null> {
    const queue = this.queueOf(webhookId);
    const now = performance.now();
    if (!queue.lane.isFull) return Promise.resolve(this.pass(queue, now));
    if (queue.lane.isSilent(now) || queue.waiting.length >= WAITING_AT_MOST) return Promise.resolve(null);
    return new Promise((resolve) => queue.waiting.push({ since: now, resolve }));
  }

  close(): void {
    clearInterval(this.timer);
    for (const queue of this.queues.values()) this.turnAway(queue);
  }

  private queueOf(webhookId: string): Queue {
    const known = this.queues.get(webhookId);
    if (known) return known;
    const queue = { lane: new ReceiverLane(this.widest), waiting: [] };
    this.queues.set(webhookId, queue);
    return queue;
  }

  private pass(queue: Queue, now: number): Pass {
    const { answered, timedOut } = queue.lane.start(now);
    const then = (end: () => void) => () => {
      end();
      this.admit(queue);
    };
    return { answered: then(answered), timedOut: then(timedOut) };
  }

  private admit(queue: Queue): void {
    while (queue.waiting.length > 0 && !queue.lane.isFull)
      queue.waiting.shift()!.resolve(this.pass(queue, performance.now()));
  }

  private look(): void {
    const now = performance.now();
    let slow = 0;
    for (const [webhookId, queue] of this.queues) {
      if (queue.lane.isSilent(now)) this.turnAway(queue);
      slow += queue.lane.slowCount(now);
      if (queue.lane.isIdle) this.queues.delete(webhookId);
    }
    this.onSlow(slow);
  }

  private turnAway({ waiting }: Queue): void {
    for (const { resolve } of waiting.splice(0)) resolve(null);
  }
}
