import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OutageLog } from './outage-log.js';

let lines: string[];
let outages: OutageLog;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  lines = [];
  outages = new OutageLog({
    error: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
  } as never);
});
afterEach(() => void vi.useRealTimers());

it('logs one line for many failures, one per minute while they last, and one when they end', () => {
  for (let second = 0; second < 150; second++) {
    outages.lasts('Redis', 'Redis is away');
    vi.advanceTimersByTime(1_000);
  }
  for (let one = 0; one < 5; one++) outages.isOver('Redis');

  expect(lines).toEqual(['Redis is away', 'Redis is away', 'Redis is away', 'Redis responds again']);
});

it('logs no more than that for a server that comes and goes', () => {
  for (let second = 0; second < 50; second++) {
    outages.lasts('Redis', 'Redis is away');
    outages.isOver('Redis');
    vi.advanceTimersByTime(1_000);
  }

  expect(lines).toEqual(['Redis is away', 'Redis responds again']);
});

it('distinguishes servers', () => {
  outages.lasts('Redis', 'Redis is away');
  outages.isOver('PostgreSQL');
  outages.lasts('PostgreSQL', 'PostgreSQL is away');

  expect(lines).toEqual(['Redis is away', 'PostgreSQL is away']);
});
