import { describe, expect, it } from 'vitest';
import { ReceiverLimiter, receiverBounds } from './receiver-limiter.js';

type Request = ReturnType<ReceiverLimiter['start']>;

function fill(limiter: ReceiverLimiter, now = 0): Request[] {
  const requests: Request[] = [];
  while (!limiter.isFull) requests.push(limiter.start(now));
  return requests;
}

describe('ReceiverLimiter', () => {
  it('allows a few requests before the receiver has answered', () => {
    expect(fill(new ReceiverLimiter(receiverBounds(400)))).toHaveLength(8);
  });

  it('doubles its limit with each round of answers while more is waiting, up to the maximum', () => {
    const limiter = new ReceiverLimiter(receiverBounds(30));
    const rounds = [fill(limiter)];
    for (let round = 1; round <= 3; round++)
      rounds.push(
        rounds.at(-1)!.flatMap((end) => {
          end('accepted', round);
          return fill(limiter, round);
        }),
      );

    expect(rounds.map(({ length }) => length)).toEqual([8, 16, 30, 30]);
  });

  it('keeps its limit when the receiver needs no more', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    for (let one = 0; one < 100; one++) limiter.start(one)('accepted', one);

    expect(fill(limiter)).toHaveLength(8);
  });

  it('allows one request after a time-out, and more after answers', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    limiter.start(0)('timed_out', 0);
    const probe = fill(limiter);
    expect(probe).toHaveLength(1);
    for (let round = 0; round < 4; round++) for (const end of fill(limiter)) end('accepted', round);
    probe[0]!('accepted', 5);

    expect(fill(limiter).length).toBeGreaterThan(1);
  });

  it('reports a receiver as silent after a second without an answer', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    const [first] = fill(limiter, 0);

    expect(limiter.isSilent(900)).toBe(false);
    expect(limiter.isSilent(1_100)).toBe(true);
    first!('accepted', 1_200);
    expect(limiter.isSilent(1_300)).toBe(false);
  });

  it('reports a slow receiver as silent after twice its usual answer time, and after a second once a request times out', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    for (const end of fill(limiter, 0)) end('accepted', 5_000);
    const requests = fill(limiter, 5_000);

    expect(limiter.isSilent(14_900)).toBe(false);
    expect(limiter.isSilent(15_100)).toBe(true);
    for (const end of requests) end('timed_out', 20_000);
    limiter.start(20_000);
    expect(limiter.isSilent(21_100)).toBe(true);
  });

  it('lets a delivery wait if its turn comes within half a second', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    const first = fill(limiter, 0);
    expect(limiter.hasRoomToWait(1_000, 500)).toBe(true);
    for (const end of first) end('accepted', 2_000);

    // The limit is 11. A doubled limit would answer 22 in two seconds.
    expect(limiter.hasRoomToWait(5, 2_000)).toBe(true);
    expect(limiter.hasRoomToWait(6, 2_000)).toBe(false);
  });

  it('keeps its limit through a short idle time', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    for (const end of fill(limiter, 0)) end('accepted', 10);

    expect(limiter.isDiscardable(20)).toBe(false);
    expect(limiter.isDiscardable(100_000)).toBe(true);
    expect(new ReceiverLimiter(receiverBounds(400)).isDiscardable(0)).toBe(true);
  });

  it('reports no receiver as silent while no request is open', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    limiter.start(0)('abandoned', 0);

    expect(limiter.isSilent(60_000)).toBe(false);
  });

  it('counts the slow requests', () => {
    const limiter = new ReceiverLimiter(receiverBounds(400));
    limiter.start(0);
    limiter.start(100);
    limiter.start(900);

    expect(limiter.slowCount(1_000)).toBe(2);
  });
});
