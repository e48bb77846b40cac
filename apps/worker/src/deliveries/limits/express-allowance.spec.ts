import { describe, expect, it } from 'vitest';
import { ExpressAllowance } from './express-allowance.js';

/** One event per webhook. */
const ofOneEach = (count: number) => ({ deliveries: count, events: count });

const at = (ms: number) => new Date(1_800_000_000_000 + ms);

function takeAll(allowance: ExpressAllowance, account: string, ms = 0): number {
  let taken = 0;
  while (allowance.take(account, ofOneEach(1), at(ms))) taken += 1;
  return taken;
}

describe('ExpressAllowance', () => {
  it('lets each account send a few deliveries, regardless of other accounts', () => {
    const allowance = new ExpressAllowance();

    expect(takeAll(allowance, 'busy')).toBe(50);
    expect(allowance.take('quiet', ofOneEach(1), at(0))).toBe(true);
  });

  it('refuses a request that exceeds the allowance as a whole', () => {
    const allowance = new ExpressAllowance();
    expect(allowance.take('busy', ofOneEach(60), at(0))).toBe(false);
    expect(allowance.burstingAccounts(at(0))).toEqual(['busy']);
    expect(allowance.take('quiet', ofOneEach(50), at(0))).toBe(true);
  });

  it('refills over time, up to its initial value', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');
    allowance.take('quiet', ofOneEach(1), at(100));

    expect(takeAll(allowance, 'busy', 150)).toBe(30);
    expect(takeAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('does not refill while the burst goes on', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) {
      allowance.take('quiet', ofOneEach(1), at(ms));
      expect(allowance.take('busy', ofOneEach(48), at(ms))).toBe(false);
    }

    expect(takeAll(allowance, 'busy', 1_125)).toBe(25);
  });

  it('returns an account to express once it sends less than the refill rate', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    const taken = [100, 200, 300].map((ms) => {
      allowance.take('quiet', ofOneEach(1), at(ms));
      return allowance.take('busy', ofOneEach(5), at(ms));
    });

    expect(taken).toEqual([false, true, true]);
  });

  it('counts events for an account that sends alone, however many webhooks each is for', () => {
    const allowance = new ExpressAllowance();
    const forTwenty = { deliveries: 20, events: 1 };
    const taken = Array.from({ length: 40 }, () => allowance.take('busy', forTwenty, at(0)));
    allowance.take('quiet', ofOneEach(1), at(10));

    expect(taken).not.toContain(false);
    expect(allowance.take('busy', forTwenty, at(10))).toBe(false);
  });

  it('treats an account alone as bursting when it sends more than a burst at once', () => {
    const allowance = new ExpressAllowance();
    expect(allowance.take('busy', { deliveries: 51, events: 1 }, at(0))).toBe(false);
  });

  it('lists an account as bursting from when its bucket is empty until it has recovered', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');
    allowance.take('quiet', ofOneEach(1), at(0));

    expect(allowance.burstingAccounts(at(0))).toEqual(['busy']);
    expect(allowance.burstingAccounts(at(100))).toEqual(['busy']);
    expect(allowance.burstingAccounts(at(200))).toEqual([]);
  });

  it('keeps an account bursting while its events wait for room', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) allowance.refreshBursting(at(ms));

    expect(allowance.burstingAccounts(at(1_010))).toEqual(['busy']);
    expect(allowance.burstingAccounts(at(1_100))).toEqual([]);
  });

  it('refills nothing when the clock is set back', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy', 10_000);

    expect(allowance.take('busy', ofOneEach(1), at(0))).toBe(false);
  });

  it('reports when an account stops bursting', () => {
    let recovered = 0;
    const allowance = new ExpressAllowance(() => (recovered += 1));
    for (const account of ['one', 'another']) allowance.take(account, ofOneEach(60), at(0));
    expect(allowance.areBursting(['one', 'another'], at(0))).toBe(true);
    expect(recovered).toBe(0);

    expect(allowance.take('one', ofOneEach(1), at(60_000))).toBe(true);
    expect(recovered).toBe(1);
    expect(allowance.areBursting(['another'], at(60_000))).toBe(false);
    expect(recovered).toBe(2);
  });

  it('treats only listed accounts as bursting', () => {
    const allowance = new ExpressAllowance();
    allowance.take('busy', ofOneEach(60), at(0));

    expect(allowance.areBursting(['busy', 'quiet'], at(0))).toBe(false);
    expect(allowance.areBursting([], at(0))).toBe(false);
  });
});
