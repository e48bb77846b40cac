import { describe, expect, it } from 'vitest';
import { RECEIVER, requests, settled } from '#test/support/requests.js';
import { AnswerTimes } from './answer-times.js';

describe('AnswerTimes', () => {
  it('measures the round trip by the last response, or by a longer silence', () => {
    const times = new AnswerTimes();
    expect(times.roundTripMs(0)).toBe(1);
    times.start(1_000);
    expect(times.roundTripMs(1_050)).toBe(50);
    times.answer(1_000, 1_200);

    expect([1_300, 1_500].map((now) => times.roundTripMs(now))).toEqual([200, 300]);
    times.end();
    expect(times.roundTripMs(9_000)).toBe(200);
  });

  it('knows whether a request that is open was overtaken by a response', () => {
    const times = new AnswerTimes();
    for (const startedAt of [1_000, 1_010]) times.start(startedAt);
    expect(times.hasAnsweredSince(1_000)).toBe(false);
    times.answer(1_010, 1_020);

    expect(times.hasAnsweredSince(1_000)).toBe(true);
  });
});

describe('a silent receiver', () => {
  it('refuses waiting deliveries after a second without a response', async () => {
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

  it('refuses waiting deliveries after twice its response time', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(30);
    await receiver.answerRounds(1, 5_000);
    receiver.now += 10_000;
    expect(receiver.limiter.check(receiver.now)).toBe(false);

    receiver.now += 1;

    expect(receiver.limiter.check(receiver.now)).toBe(true);
  });

  it('refuses new deliveries without room at once', async () => {
    const receiver = requests(RECEIVER);
    await receiver.ask(8);
    receiver.now += 1_001;
    await receiver.ask(1);

    expect(receiver.limiter.waitingCount).toBe(0);
  });

  it('has requests in flight', async () => {
    const { limiter, now } = requests(RECEIVER);
    for (let one = 0; one < 9; one++) void limiter.enter('one', now);

    expect(limiter.answers.isSilent(now + 60_000)).toBe(false);
  });
});
