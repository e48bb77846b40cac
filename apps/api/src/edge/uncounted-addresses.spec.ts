import { expect, it } from 'vitest';
import { UncountedAddresses } from './uncounted-addresses.js';

it.each([
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['fd00::5', true],
  ['11.0.0.1', false],
  ['fd01::5', false],
  ['unknown', false],
])('%s stands for many clients: %s', (address, uncounted) => {
  expect(new UncountedAddresses(['10.0.0.0/8', 'fd00::/16']).has(address)).toBe(uncounted);
});
