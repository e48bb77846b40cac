import { describe, expect, it } from 'vitest';
import { browserLabel } from './browser-label.js';

describe('browserLabel', () => {
  it.each([
    [
      'Chrome 147 on Linux',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    ],
    [
      'Edge 140 on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    ],
    ['Firefox 150 on macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0'],
    [
      'Safari 19 on iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'Safari 19 on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.2 Safari/605.1.15',
    ],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['unknown', ''],
  ])('returns %s', (words, userAgent) => {
    expect(browserLabel(userAgent)).toBe(words);
  });
});
