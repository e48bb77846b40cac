import { beforeEach, describe, expect, it } from 'vitest';
import { type RequestEnd, RequestLimiter } from './request-limiter.js';

const RECEIVER = { initial: 8, max: 400 };
const HOST = { initial: 200, max: 1_000, failuresPerSecond: 200 };

let now: number;
beforeEach(() => void (now = 1_000));

class Requests {
  readonly open: number[] = [];
  readonly pauses: number[] = [];
  constructor(readonly limiter: RequestLimiter) {}

  async ask(count: number, lane = 'one'): Promise<void> {
    for (let one = 0; one < count; one++)
      void this.limiter
        .enter(lane, now)
        .then((pauseMs) => (pauseMs === null ? this.start() : this.pauses.push(pauseMs)));
    await settled();
  }

  /** Ends those that are open. */
  async end(how: RequestEnd): Promise<void> {
    for (const startedAt of this.open.splice(0)) {
      if (how === 'timed_out') this.limiter.lowerTo(1);
      this.limiter.end(how, startedAt, now);
    }
    await settled();
  }

  private start(): void {
    this.limiter.start(now);
    this.open.push(now);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const requests = (bounds: ConstructorParameters<typeof RequestLimiter>[0]) => new Requests(new RequestLimiter(bounds));

/** Answers each round after `ms`. */
async function answerRounds(receiver: Requests, count: number, ms: number, how: RequestEnd = 'accepted') {
  for (let round = 0; round < count; round++) {
    now += ms;
    await receiver.end(how);
  }
}

describe('the limit of a receiver', () => {
  it('starts at 8 and doubles with each round of answers up to the maximum', async () => {
    const receiver = requests({ initial: 8, max: 30 });
    await receiver.ask(100);
    const rounds = [receiver.open.length];
    for (let round = 0; round < 3; round++) {
      await answerRounds(receiver, 1, 10);
      rounds.push(receiver.open.length);
    }

    expect(rounds).toEqual([8, 16, 30, 30]);
  });

  it('grows by failures too, as they are answers', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(100);
    await answerRounds(receiver, 1, 10, 'failed');

    expect(receiver.open).toHaveLength(16);
  });

  it('grows no further than its use', async () => {
    const receiver = requests(RECEIVER);
    for (let one = 0; one < 50; one++) {
      await receiver.ask(1);
      await answerRounds(receiver, 1, 10);
    }
    await receiver.ask(20);

    expect(receiver.open).toHaveLength(8);
  });

  it('falls to one request after a time-out and grows again by answers', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await answerRounds(receiver, 1, 15_000, 'timed_out');
    await receiver.ask(100);
    expect(receiver.open).toHaveLength(1);

    await answerRounds(receiver, 4, 10);

    expect(receiver.open).toHaveLength(16);
  });
});

describe('a delivery without room', () => {
  it('waits if its turn comes within half a second', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await answerRounds(receiver, 1, 200);
    await receiver.ask(200);

    // The limit is 11. Twice as many in 200 ms are 55 in half a second.
    expect(receiver.open).toHaveLength(11);
    expect(receiver.limiter.waitingCount).toBe(55);
    expect(receiver.pauses).toHaveLength(200 - 11 - 55);
  });

  it('waits in turn with other lanes', async () => {
    const host = requests({ initial: 1, max: 1 });
    await host.ask(1);
    const turns: string[] = [];
    for (const lane of ['flooding', 'flooding', 'flooding', 'quiet'])
      void host.limiter.enter(lane, now).then(() => turns.push(lane));

    for (let one = 0; one < 3; one++) host.limiter.leave(now);
    await settled();

    expect(turns).toEqual(['flooding', 'quiet', 'flooding']);
  });

  it('refuses once the receiver is silent for a second', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(4);
    now += 500;
    await receiver.ask(16);
    now += 500;
    expect(receiver.limiter.check(now)).toBe(false);
    now += 1;

    expect(receiver.limiter.check(now)).toBe(true);
    await settled();

    expect(receiver.pauses).toEqual(Array.from({ length: 12 }, () => 1_000));
    expect(receiver.limiter.check(now)).toBe(false);
  });

  it('refuses after twice the response time of a slow receiver', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(30);
    await answerRounds(receiver, 1, 5_000);
    now += 10_000;
    expect(receiver.limiter.check(now)).toBe(false);

    now += 1;

    expect(receiver.limiter.check(now)).toBe(true);
  });

  it('does not wait for a receiver that is silent', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    now += 1_001;
    await receiver.ask(1);

    expect(receiver.limiter.waitingCount).toBe(0);
  });

  it('does not call a receiver silent that no request has reached', async () => {
    const { limiter } = requests(RECEIVER);
    for (let one = 0; one < 9; one++) void limiter.enter('one', now);

    expect(limiter.isSilent(now + 60_000)).toBe(false);
  });
});

/** A receiver that answers `limit` requests in two seconds, with all of them in flight again. */
async function fullReceiver(limit: number) {
  const receiver = requests({ initial: limit, max: limit });
  await receiver.ask(limit);
  await answerRounds(receiver, 1, 2_000);
  await receiver.ask(limit);
  return receiver;
}

describe('the pause of a refused delivery', () => {
  it('spreads the deliveries at the rate of the receiver, for at least a second and at most ten minutes', async () => {
    const receiver = await fullReceiver(100);
    await receiver.ask(40_025);

    const pauses = receiver.pauses;
    expect(receiver.limiter.waitingCount).toBe(25);
    expect(pauses.slice(0, 3)).toEqual([1_000, 1_020, 1_040]);
    expect(pauses[10_000]).toBeCloseTo(201_000, 0);
    expect(pauses.at(-1)).toBe(600_000);
  });

  it('leaves half of the rate to another lane', async () => {
    const receiver = await fullReceiver(100);
    await receiver.ask(1, 'two');
    await receiver.ask(13 + 3);

    expect(receiver.pauses).toEqual([1_000, 1_040, 1_080]);
  });

  it('ends within two answers while the limit rises', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(100);
    await answerRounds(receiver, 1, 2_000);
    await receiver.ask(1_000);

    expect(receiver.pauses.at(-1)).toBe(4_000);
  });

  it('ends within half a minute if the receiver is silent', async () => {
    const receiver = await fullReceiver(100);
    now += 4_001;
    await receiver.ask(10_000);

    expect(receiver.pauses.at(-1)).toBe(30_000);
  });

  it('starts from the beginning once the postponed deliveries have returned', async () => {
    const receiver = await fullReceiver(100);
    await receiver.ask(125);
    now += 3_000;
    receiver.limiter.check(now);
    receiver.pauses.splice(0);
    await receiver.ask(1);

    expect(receiver.pauses).toEqual([1_000]);
  });
});

describe('failures of a host', () => {
  it('delay further requests above the allowance of a second', async () => {
    const host = requests(HOST);
    await host.ask(1_000);
    await answerRounds(host, 1, 1, 'failed');
    expect(host.open).toEqual([]);

    now += 100;
    host.limiter.check(now);
    await settled();

    expect(host.open).toHaveLength(20);
  });

  it('let further deliveries wait half a second, and return at the allowance', async () => {
    const host = requests(HOST);
    await host.ask(200);
    await answerRounds(host, 1, 1, 'failed');
    await host.ask(300);

    expect(host.limiter.waitingCount).toBe(100);
    expect(host.pauses.slice(0, 3)).toEqual([1_000, 1_005, 1_010]);
    expect(host.pauses.at(-1)).toBe(1_995);
  });

  it('do not slow a host that accepts most requests', async () => {
    const host = requests(HOST);
    let accepted = 0;
    for (let round = 0; round < 100; round++) {
      await host.ask(60);
      now += 10;
      await host.end('accepted');
      accepted += 60;
      await host.ask(1);
      await host.end('failed');
    }

    expect(accepted).toBe(6_000);
    expect(host.pauses).toEqual([]);
    expect(host.limiter.waitingCount).toBe(0);
  });
});

describe('isForgettable', () => {
  it('holds at once if nothing was learned', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(1);
    expect(receiver.limiter.isForgettable(now)).toBe(false);
    await answerRounds(receiver, 1, 10);

    expect(receiver.limiter.isForgettable(now)).toBe(true);
  });

  it.each(['accepted', 'timed_out'] as const)('holds a minute after requests that were %s', async (end) => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await answerRounds(receiver, 1, 10, end);

    expect(receiver.limiter.isForgettable(now + 59_000)).toBe(false);
    expect(receiver.limiter.isForgettable(now + 60_001)).toBe(true);
  });

  it('fails while failures count', async () => {
    const host = requests(HOST);
    await host.ask(100);
    await answerRounds(host, 1, 10, 'failed');

    expect(host.limiter.isForgettable(now + 400)).toBe(false);
    expect(host.limiter.isForgettable(now + 500)).toBe(true);
  });
});
