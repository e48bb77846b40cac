import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { LiveWorkersService } from './live-workers.service.js';

const ACCOUNTS = Array.from({ length: 4_000 }, () => `0198a000-0000-7000-8000-${randomBytes(6).toString('hex')}`);

const workersOf = (count: number): LiveWorkersService[] =>
  Array.from({ length: count }, (_, place) => {
    const workers = new LiveWorkersService();
    workers.update({ count, place });
    return workers;
  });

it.each([1, 2, 3, 7])('gives each of %i workers its own share of the accounts', (count) => {
  const all = workersOf(count);
  const firsts = all.map((workers) => ACCOUNTS.filter((id) => workers.isFirstFor([id])));

  expect(firsts.flat().toSorted()).toEqual(ACCOUNTS.toSorted());
  for (const share of firsts) expect(share.length).toBeGreaterThan((0.8 * ACCOUNTS.length) / count);
});

it('makes all workers react when no account is given', () => {
  for (const workers of workersOf(3)) expect(workers.isFirstFor([])).toBe(true);
});

it('divides a limit among the workers, with at least one for each', () => {
  const [one] = workersOf(3);

  expect(one!.shareOf(400)).toBe(134);
  expect(one!.shareOf(1)).toBe(1);
  expect(one!.allOf(40)).toBe(120);
});
