import { expect, it } from 'vitest';
import { StreamSeats } from './stream-seats.js';

const stream = (agentId: string, accountId = 'acme') => ({ agentId, accountId });
const seats = () => new StreamSeats<ReturnType<typeof stream>>({ perAgent: 2, perAccount: 4 });

it('ends the oldest stream of an agent at the limit', () => {
  const all = seats();
  const [first, second, third] = [stream('maya'), stream('maya'), stream('maya')];
  all.take(first);
  all.take(second);

  expect(all.take(third)).toEqual({ seated: true, unseated: first });
  expect(all.take(stream('maya'))).toMatchObject({ unseated: second });
});

it('ends a stream of the agent with the most when the account is full', () => {
  const all = seats();
  const streams = [stream('noah'), stream('maya'), stream('maya'), stream('ann')];
  for (const each of streams) all.take(each);

  expect(all.take(stream('zoe'))).toEqual({ seated: true, unseated: streams[1] });
});

it('refuses an agent without a stream when all others have one', () => {
  const all = seats();
  for (const agent of ['a', 'b', 'c', 'd']) all.take(stream(agent));

  expect(all.take(stream('e'))).toEqual({ seated: false });
  expect(all.take(stream('e', 'another account'))).toEqual({ seated: true });
});

it('replaces the stream of an agent when all others have one', () => {
  const all = seats();
  const streams = ['a', 'b', 'c', 'd'].map((agent) => stream(agent));
  for (const each of streams) all.take(each);

  expect(all.take(stream('b'))).toEqual({ seated: true, unseated: streams[1] });
});

it('frees a seat once when a stream ends', () => {
  const all = seats();
  const first = stream('maya');
  all.take(first);
  all.take(stream('maya'));
  all.leave(first);
  all.leave(first);

  expect(all.take(stream('maya'))).toEqual({ seated: true });
  expect(all.take(stream('maya'))).toHaveProperty('unseated');
});
