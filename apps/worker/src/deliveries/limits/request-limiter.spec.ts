import { describe, expect, it } from 'vitest';
import { RECEIVER, requests, settled } from '../../../../../test/support/requests.js';

describe('the limit of a receiver', () => {
  it('starts at 8 and doubles with each round of answers up to the maximum', async () => {
    const receiver = requests({ initial: 8, max: 30 });
    await receiver.ask(100);
    const rounds = [receiver.open.length];
    for (let round = 0; round < 3; round++) {
      await receiver.answerRounds(1, 10);
      rounds.push(receiver.open.length);
    }

    expect(rounds).toEqual([8, 16, 30, 30]);
  });

  it('grows by failures too, as they are answers', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(100);
    await receiver.answerRounds(1, 10, 'failed');

    expect(receiver.open).toHaveLength(16);
  });

  it.each([1, 4])('grows no further than its use: %d of 8', async (used) => {
    const receiver = requests(RECEIVER);
    for (let one = 0; one < 50; one++) {
      await receiver.ask(used);
      await receiver.answerRounds(1, 10);
    }
    await receiver.ask(20);

    expect(receiver.open).toHaveLength(8);
  });

  it('falls to one request after a time-out and grows again by answers', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await receiver.answerRounds(1, 15_000, 'timed_out');
    await receiver.ask(100);
    expect(receiver.open).toHaveLength(1);

    await receiver.answerRounds(4, 10);

    expect(receiver.open).toHaveLength(16);
  });
});

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

  it('waits in turn with other lanes', async () => {
    const host = requests({ initial: 1, max: 1 });
    await host.ask(1);
    const turns: string[] = [];
    for (const lane of ['flooding', 'flooding', 'flooding', 'quiet'])
      void host.limiter.enter(lane, host.now).then(() => turns.push(lane));

    for (let one = 0; one < 3; one++) host.limiter.leave(host.now);
    await settled();

    expect(turns).toEqual(['flooding', 'quiet', 'flooding']);
  });

  it('refuses once the receiver is silent for a second', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(4);
    receiver.now += 500;
    await receiver.ask(16);
    receiver.now += 500;
    expect(receiver.limiter.check(receiver.now)).toBe(false);
    receiver.now += 1;

    expect(receiver.limiter.check(receiver.now)).toBe(true);
    await settled();

    expect(receiver.pauses).toEqual(Array.from({ length: 12 }, () => 1_000));
    expect(receiver.limiter.check(receiver.now)).toBe(false);
  });

  it('refuses after twice the response time of a slow receiver', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(30);
    await receiver.answerRounds(1, 5_000);
    receiver.now += 10_000;
    expect(receiver.limiter.check(receiver.now)).toBe(false);

    receiver.now += 1;

    expect(receiver.limiter.check(receiver.now)).toBe(true);
  });

  it('does not wait for a receiver that is silent', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    receiver.now += 1_001;
    await receiver.ask(1);

    expect(receiver.limiter.waitingCount).toBe(0);
  });

  it('does not call a receiver silent that no request has reached', async () => {
    const { limiter, now } = requests(RECEIVER);
    for (let one = 0; one < 9; one++) void limiter.enter('one', now);

    expect(limiter.isSilent(now + 60_000)).toBe(false);
  });
});
