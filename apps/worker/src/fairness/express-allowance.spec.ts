import { describe, expect, it } from 'vitest';
import { ExpressAllowance } from './express-allowance.js';

const at = (ms: number) => new Date(1_800_000_000_000 + ms);

function takeAll(allowance: ExpressAllowance, account: string, ms = 0): number {
  let taken = 0;
  while (allowance.take(account, 1, at(ms))) taken += 1;
  return taken;
}

describe('the express allowance', () => {
  it('lets each account send a few deliveries, whatever another has used', () => {
    const allowance = new ExpressAllowance();

    expect(takeAll(allowance, 'busy')).toBe(50);
    expect(allowance.take('quiet', 1, at(0))).toBe(true);
  });

  it('refuses all of a request that is larger than what is left', () => {
    const allowance = new ExpressAllowance();
    expect(allowance.take('busy', 60, at(0))).toBe(false);
    expect(allowance.heavyAccounts(at(0))).toEqual(['busy']);
    expect(allowance.take('quiet', 50, at(0))).toBe(true);
  });

  it('refills with time, up to where it started', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    expect(takeAll(allowance, 'busy', 150)).toBe(30);
    expect(takeAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('does not refill while the burst goes on', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) expect(takeAll(allowance, 'busy', ms)).toBe(0);

    expect(takeAll(allowance, 'busy', 1_125)).toBe(25);
  });

  it('calls an account heavy from when it used up everything until it has recovered', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');
    allowance.take('quiet', 1, at(0));

    expect(allowance.heavyAccounts(at(0))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(100))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(200))).toEqual([]);
  });

  it('keeps an account heavy while its events wait for room', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) allowance.refreshHeavy(at(ms));

    expect(allowance.heavyAccounts(at(1_100))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(1_200))).toEqual([]);
  });

  it('refills nothing when the clock is set back', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy', 10_000);

    expect(allowance.take('busy', 1, at(0))).toBe(false);
  });
});
