import { describe, expect, it } from 'vitest';
import { RECEIVER, requests } from '#test/support/requests.js';
import { ConcurrencyLimit } from './concurrency-limit.js';

describe('ConcurrencyLimit', () => {
  it('rises while more than half of it is in use', () => {
    const limit = new ConcurrencyLimit({ initial: () => 8, max: () => 10 });
    limit.taken = 4;
    limit.raise();
    expect(limit.places).toBe(8);
    limit.taken = 5;
    for (let answer = 0; answer < 5; answer++) limit.raise();

    expect([limit.places, limit.placesNext, limit.isAtMax]).toEqual([10, 10, true]);
  });

  it('follows a maximum that changes with the number of workers', () => {
    let max = 20;
    const limit = new ConcurrencyLimit({ initial: () => 8, max: () => max });
    expect([limit.places, limit.placesNext, limit.isAtMax]).toEqual([8, 16, false]);
    max = 5;
    expect([limit.places, limit.placesNext, limit.isAtMax]).toEqual([5, 5, true]);
    max = 20;

    expect(limit.places).toBe(8);
  });
});

describe('the limit of a receiver', () => {
  it('starts at 8 and doubles with each round of responses up to the maximum', async () => {
    const receiver = requests({ initial: 8, max: 30 });
    await receiver.ask(100);
    const rounds = [receiver.open.length];
    for (let round = 0; round < 3; round++) {
      await receiver.answerRounds(1, 10);
      rounds.push(receiver.open.length);
    }

    expect(rounds).toEqual([8, 16, 30, 30]);
  });

  it('grows by failures too, as they are responses', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(100);
    await receiver.answerRounds(1, 10, 'failed');

    expect(receiver.open).toHaveLength(16);
  });

  it('falls to one request after a time-out and grows again by responses', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    await receiver.answerRounds(1, 15_000, 'timed_out');
    await receiver.ask(100);
    expect(receiver.open).toHaveLength(1);

    await receiver.answerRounds(4, 10);

    expect(receiver.open).toHaveLength(16);
  });
});
