import { describe, expect, it } from 'vitest';
import { ExpressAllowance } from './express-allowance.js';

const at = (ms: number) => new Date(1_800_000_000_000 + ms);

function takeAll(allowance: ExpressAllowance, account: string, ms = 0): number {
  let taken = 0;
  while (allowance.take(account, 1, at(ms))) taken += 1;
  return taken;
}

describe('the express allowance', () => {
  it('carries a few deliveries of each account, whatever another has used', () => {
    const allowance = new ExpressAllowance();

    expect(takeAll(allowance, 'busy')).toBe(50);
    expect(allowance.take('quiet', 1, at(0))).toBe(true);
  });

  it('carries nothing of what is more at once than is left', () => {
    const allowance = new ExpressAllowance();
    expect(allowance.take('busy', 60, at(0))).toBe(false);
    expect(allowance.heavyAccounts(at(0))).toEqual(['busy']);
    expect(allowance.take('quiet', 50, at(0))).toBe(true);
  });

  it('comes back with time, up to what it was', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    expect(takeAll(allowance, 'busy', 150)).toBe(30);
    expect(takeAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('does not come back while the burst that used it up goes on', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) expect(takeAll(allowance, 'busy', ms)).toBe(0);

    expect(takeAll(allowance, 'busy', 1_125)).toBe(25);
  });

  it('names an account as heavy from when it has used up all until it has recovered', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');
    allowance.take('quiet', 1, at(0));

    expect(allowance.heavyAccounts(at(0))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(100))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(200))).toEqual([]);
  });

  it('keeps an account heavy for as long as what it has waits for room', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy');

    for (let ms = 100; ms <= 1_000; ms += 100) allowance.refreshHeavy(at(ms));

    expect(allowance.heavyAccounts(at(1_100))).toEqual(['busy']);
    expect(allowance.heavyAccounts(at(1_200))).toEqual([]);
  });

  it('takes a clock that is set back for no time at all', () => {
    const allowance = new ExpressAllowance();
    takeAll(allowance, 'busy', 10_000);

    expect(allowance.take('busy', 1, at(0))).toBe(false);
  });
});
