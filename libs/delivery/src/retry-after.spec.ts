import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.js';

const now = new Date('2026-03-01T12:00:00.000Z');

const isSane = (header: string): boolean => (retryAfterMs(header, now) ?? 0) >= 0;

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['00010', 10_000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun Mar  1 12:01:00 2026', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ])('parses %j as %d ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });

  it.each([
    null,
    '',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '1, 2',
    '2026-03-01T12:01:00Z',
    'Sun, 1 Mar 2026 12:01:00 GMT',
    'Sun, 01 Mar 2026 12:01:00 CET',
    'Sun, 01 Mar 2026 25:01:00 GMT',
    'Sun, 01 Foo 2026 12:01:00 GMT',
    'Sun, 00 Mar 2026 12:01:00 GMT',
    '١٢٠',
    'x5',
    'x Sun, 01 Mar 2026 12:01:00 GMT',
    'Sun, 01 Mar 2026 12:01:00 GMT GMT',
    'x Sunday, 01-Mar-26 12:01:00 GMT',
    'Sunday, 01-Mar-26 12:01:00 GMT GMT',
    'x Sun Mar  1 12:01:00 2026',
    'Sun Mar  1 12:01:00 2026 GMT',
  ])('ignores %j', (header) => {
    expect(retryAfterMs(header, now)).toBeNull();
  });

  it('never throws and never returns a time in the past', () => {
    expect(() => fc.assert(fc.property(fc.string({ unit: 'binary' }), isSane))).not.toThrow();
  });
});
