import { describe, expect, it } from 'vitest';
import { RECEIVER, requests } from '#test/support/requests.js';
import { LanePauses } from './lane-pauses.js';

describe('LanePauses', () => {
  it('spreads each lane at its rate, up to the longest pause', () => {
    const pauses = new LanePauses();
    const next = (lane: string) => pauses.next(lane, 0, { perSecond: 2, maxMs: 1_800 });

    expect(['one', 'one', 'one', 'one', 'two'].map(next)).toEqual([1_000, 1_500, 1_800, 1_800, 1_000]);
  });
});

/** A receiver that handles `limit` requests in two seconds, with all of them in flight again. */
async function fullReceiver(limit: number) {
  const receiver = requests({ initial: limit, max: limit });
  await receiver.ask(limit);
  await receiver.answerRounds(1, 2_000);
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

  it('ends later than two responses at the highest limit, even after little use', async () => {
    const receiver = requests({ initial: 100, max: 100 });
    await receiver.ask(1);
    await receiver.answerRounds(1, 2_000);
    await receiver.ask(100 + 25 + 300);

    expect(receiver.pauses.at(-1)).toBe(1_000 + 299 * 20);
  });

  it('ends within two responses while the limit rises', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(100);
    await receiver.answerRounds(1, 2_000);
    await receiver.ask(1_000);

    expect(receiver.pauses.at(-1)).toBe(4_000);
  });

  it('lasts a second before the first response', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    receiver.now += 500;
    await receiver.ask(30);

    // Twice the limit in half a second: as many wait.
    expect(receiver.pauses).toEqual(Array.from({ length: 30 - 16 }, () => 1_000));
  });

  it('ends within half a minute if the receiver is silent', async () => {
    const receiver = await fullReceiver(100);
    receiver.now += 4_001;
    await receiver.ask(10_000);

    expect(receiver.pauses.at(-1)).toBe(30_000);
  });

  it('continues after the postponed deliveries while they are away', async () => {
    const receiver = await fullReceiver(100);
    await receiver.ask(25 + 100);
    receiver.now += 500;
    receiver.limiter.check(receiver.now);
    receiver.pauses.splice(0);
    await receiver.ask(1);

    expect(receiver.pauses).toEqual([1_000 + 100 * 20 - 500]);
  });

  it('starts from the beginning once the postponed deliveries have returned', async () => {
    const receiver = await fullReceiver(100);
    await receiver.ask(125);
    receiver.now += 3_000;
    receiver.limiter.check(receiver.now);
    receiver.pauses.splice(0);
    await receiver.ask(1);

    expect(receiver.pauses).toEqual([1_000]);
  });
});
