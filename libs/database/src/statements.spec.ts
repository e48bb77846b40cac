import { expect, it } from 'vitest';
import { arrayLiteral } from './statements.js';

it('formats ids, numbers, dates and nulls as an array of PostgreSQL', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');

  expect(arrayLiteral(['0190a1b2-0000-7000-8000-000000000001', 7, at, null])).toBe(
    '{0190a1b2-0000-7000-8000-000000000001,7,2026-01-02T03:04:05.678Z,NULL}',
  );
  expect(arrayLiteral([])).toBe('{}');
});
