import { describe, expect, it } from 'vitest';
import { HOST, RECEIVER, requests } from '#test/support/requests.js';

describe('a delivery without room', () => {
  it('waits if its turn comes within half a second', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await receiver.answerRounds(1, 200);
    await receiver.ask(200);

    // The limit is 11. Twice as many in 200 ms are 55 in half a second.
    expect(receiver.open).toHaveLength(11);
    expect(receiver.limiter.waitingCount).toBe(55);
    expect(receiver.pauses).toHaveLength(200 - 11 - 55);
  });
});

describe('isForgettable', () => {
  it.each(['accepted', 'failed', 'timed_out'] as const)('holds a minute after requests that were %s', async (end) => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await receiver.answerRounds(1, 10, end);

    const asked = receiver.now - 10;
    expect(receiver.limiter.isForgettable(asked + 60_000)).toBe(false);
    expect(receiver.limiter.isForgettable(asked + 60_001)).toBe(true);
  });

  it('fails while a request is open', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(1);

    expect(receiver.limiter.isForgettable(receiver.now + 60_001)).toBe(false);
  });

  it('fails while deliveries wait', async () => {
    const host = requests(HOST);
    await host.ask(200);
    await host.answerRounds(1, 1, 'failed');
    await host.ask(50);

    expect(host.limiter.isForgettable(host.now + 60_001)).toBe(false);
  });
});
