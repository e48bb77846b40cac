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
    allowance.take('quiet', 1, at(100));

    expect(takeAll(allowance, 'busy', 150)).toBe(30);
    expect(takeAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('does not refill while the burst goes on', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) {
      allowance.take('quiet', 1, at(ms));
      expect(allowance.take('busy', 48, at(ms))).toBe(false);
    }

    expect(takeAll(allowance, 'busy', 1_125)).toBe(25);
  });

  it('gives an account its express back once it sends less than is refilled', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    const taken = [100, 200, 300].map((ms) => {
      allowance.take('quiet', 1, at(ms));
      return allowance.take('busy', 5, at(ms));
    });

    expect(taken).toEqual([false, true, true]);
  });

  it('lets an account that sends alone go express at six times the rate', () => {
    const allowance = new ExpressAllowance();
    allowance.take('quiet', 1, at(0));
    takeAll(allowance, 'busy', 500);

    expect(takeAll(allowance, 'busy', 600)).toBe(0);
    expect(allowance.take('busy', 50, at(1_100))).toBe(true);
    expect(allowance.take('busy', 50, at(1_130))).toBe(false);
    expect(allowance.take('busy', 20, at(1_200))).toBe(true);
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

    expect(allowance.heavyAccounts(at(1_010))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(1_050))).toEqual([]);
  });

  it('refills nothing when the clock is set back', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy', 10_000);

    expect(allowance.take('busy', 1, at(0))).toBe(false);
  });
});
