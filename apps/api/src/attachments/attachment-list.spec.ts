import { describe, expect, it } from 'vitest';
import { formatBytes } from './attachment-list.js';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [20_971_520, '21.0 MB'],
  ])('formats %i bytes as %s', (bytes, words) => {
    expect(formatBytes(bytes)).toBe(words);
  });
});
