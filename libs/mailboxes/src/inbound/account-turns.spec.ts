import { expect, it } from 'vitest';
import { AccountTurns } from './account-turns.js';

const turnsAfter = (used: Readonly<Record<string, readonly number[]>>): AccountTurns => {
  const turns = new AccountTurns();
  for (const [account, times] of Object.entries(used)) for (const ms of times) turns.charge(account, ms);
  return turns;
};

it('makes an account wait once its emails took long, whether they were few or many', () => {
  const turns = turnsAfter({ slow: [2000], many: Array<number>(100).fill(10), quick: [10, 10] });

  expect(turns.waiting).toEqual(['slow', 'many']);
});

it('serves the account next that used the least time', () => {
  const turns = turnsAfter({ slow: [2000, 2000], slower: [5000], slowest: [9000] });

  expect(turns.advance()).toBe(true);
  expect(turns.waiting).toEqual(['slowest']);
  turns.charge('slow', 2000);
  expect(turns.waiting.toSorted()).toEqual(['slow', 'slowest']);
});

it('queries only a few times when a thousand accounts wait and none has mail', () => {
  const used = Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`account-${at}`, [300 + at]]));
  const turns = turnsAfter(used);
  let rounds = 0;
  while (turns.advance()) rounds++;

  expect(rounds).toBeLessThanOrEqual(10);
  expect(turns.waiting).toEqual([]);
});
