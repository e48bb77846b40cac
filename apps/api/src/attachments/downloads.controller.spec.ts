import { expect, it } from 'vitest';
import { parseRange } from './downloads.controller.js';

const whole = null;
const none = 'none';
const part = (first: number, last: number) => ({ first, last });

it.each([
  [undefined, 10, whole],
  ['bytes=0-3', 10, part(0, 3)],
  ['Bytes=9-9', 10, part(9, 9)],
  ['bytes=4-', 10, part(4, 9)],
  ['bytes=4-999999999999999', 10, part(4, 9)],
  ['bytes=-3', 10, part(7, 9)],
  ['bytes=-30', 10, part(0, 9)],
  ['bytes=10-', 10, none],
  ['bytes=999999999999999-', 10, none],
  ['bytes=-0', 10, none],
  ['bytes=0-', 0, none],
  ['bytes=-5', 0, whole],
  ['bytes=5-4', 10, whole],
  ['bytes=-', 10, whole],
  ['bytes=0-1,4-5', 10, whole],
  ['lines=0-1', 10, whole],
  ['bytes=a-b', 10, whole],
  ['bytes=9999999999999999-', 10, whole],
])('parses %s for a file of %i bytes', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});
