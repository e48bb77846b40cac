import { describe, expect, it } from 'vitest';
import { ExpressAllowance, costOf } from './express-allowance.js';

function spendAll(allowance: ExpressAllowance, account: string, now = 0): number {
  let events = 0;
  while (allowance.spend(account, 1, now)) events += 1;
  return events;
}

describe('ExpressAllowance', () => {
  it('lets each account send fifty events at once, regardless of the others', () => {
    const allowance = new ExpressAllowance();

    expect(spendAll(allowance, 'busy')).toBe(50);
    expect(allowance.spend('busy', 1, 0)).toBe(false);
    expect(allowance.spend('quiet', 1, 0)).toBe(true);
  });

  it('gives an account 250 events a second, and never more than fifty at once', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');

    expect(spendAll(allowance, 'busy', 100)).toBe(24);
    expect(spendAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('leaves an account that sends faster than that without any', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');

    const taken = Array.from({ length: 400 }, (_, place) => allowance.spend('busy', 1, (place + 1) * 3));

    expect(taken).not.toContain(true);
    expect(allowance.spend('busy', 1, 1_410)).toBe(true);
  });

  it('counts ten more deliveries of an event as one event', () => {
    expect(costOf({ events: 2, deliveries: 22 })).toBe(4);
  });

  it('refuses a burst as a whole', () => {
    expect(new ExpressAllowance().spend('busy', 51, 0)).toBe(false);
  });

  it('takes back what was not needed', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');

    allowance.spend('busy', -3, 0);

    expect(spendAll(allowance, 'busy')).toBe(2);
  });

  it('names the accounts without any, which stay so while it is called', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');
    allowance.spend('quiet', 49, 0);

    expect(allowance.spendExhausted(0)).toEqual(['busy']);
    expect(allowance.spendExhausted(100)).toEqual(['busy']);
    expect(allowance.spend('busy', 1, 100)).toBe(false);
    expect(allowance.spendExhausted(500)).toEqual([]);
  });
});
