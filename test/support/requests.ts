import { RequestLimiter, type RequestEnd } from '../../apps/worker/src/deliveries/limits/request-limiter.js';

export const RECEIVER = { initial: 8, max: 400 };
export const HOST = { initial: 200, max: 1_000, failuresPerSecond: 200 };

interface Bounds {
  readonly initial: number;
  readonly max: number;
  readonly failuresPerSecond?: number;
}

/** Requests under a limiter, with a clock of their own. */
export class Requests {
  now = 1_000;
  readonly open: number[] = [];
  readonly pauses: number[] = [];
  readonly limiter: RequestLimiter;

  constructor({ initial, max, failuresPerSecond }: Bounds) {
    this.limiter = new RequestLimiter({
      initial: () => initial,
      max: () => max,
      ...(failuresPerSecond && { failuresPerSecond: () => failuresPerSecond }),
    });
  }

  async ask(count: number, lane = 'one'): Promise<void> {
    for (let one = 0; one < count; one++)
      void this.limiter
        .enter(lane, this.now)
        .then((pauseMs) => (pauseMs === null ? this.start() : this.pauses.push(pauseMs)));
    await settled();
  }

  /** Ends those that are open. */
  async end(how: RequestEnd): Promise<void> {
    for (const startedAt of this.open.splice(0)) {
      if (how === 'timed_out') this.limiter.limit.lowerTo(1);
      this.limiter.end(how, startedAt, this.now);
    }
    await settled();
  }

  /** Answers each round after `ms`. */
  async answerRounds(count: number, ms: number, how: RequestEnd = 'accepted'): Promise<void> {
    for (let round = 0; round < count; round++) {
      this.now += ms;
      await this.end(how);
    }
  }

  private start(): void {
    this.limiter.answers.start(this.now);
    this.open.push(this.now);
  }
}

export const settled = () => new Promise((resolve) => setImmediate(resolve));

export const requests = (bounds: Bounds) => new Requests(bounds);
