import { describe, expect, it } from 'vitest';
import { ExpressAllowance } from './express-allowance.js';

const ONE = { events: 1, deliveries: 1 };

function spendAll(allowance: ExpressAllowance, account: string, now = 0): number {
  let events = 0;
  while (allowance.spend(account, ONE, now)) events += 1;
  return events;
}

describe('ExpressAllowance', () => {
  it('lets each account send fifty events at once, regardless of the others', () => {
    const allowance = new ExpressAllowance();

    expect(spendAll(allowance, 'busy')).toBe(50);
    expect(allowance.has('busy', 0)).toBe(false);
    expect(allowance.has('quiet', 0)).toBe(true);
  });

  it('gives an account 300 events a second, and never more than fifty at once', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');

    expect(spendAll(allowance, 'busy', 100)).toBe(30);
    expect(spendAll(allowance, 'busy', 60_000)).toBe(50);
  });

  it('leaves an account that sends faster than that without any', () => {
    const allowance = new ExpressAllowance();
    spendAll(allowance, 'busy');

    const taken = Array.from({ length: 400 }, (_, place) => allowance.spend('busy', ONE, (place + 1) * 2.5));

    expect(taken).not.toContain(true);
    expect(allowance.spend('busy', ONE, 1_010)).toBe(true);
  });

  it('counts ten more deliveries of an event as one event', () => {
    const allowance = new ExpressAllowance();

    const taken = Array.from({ length: 19 }, () => allowance.spend('busy', { events: 1, deliveries: 17 }, 0));

    expect(taken).toEqual([...Array<boolean>(19).fill(true)]);
    expect(allowance.spend('busy', ONE, 0)).toBe(false);
  });

  it('refuses a burst as a whole', () => {
    expect(new ExpressAllowance().spend('busy', { events: 51, deliveries: 51 }, 0)).toBe(false);
  });
});
