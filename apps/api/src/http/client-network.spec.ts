import { expect, it } from 'vitest';
import { UncountedAddresses, clientNetwork } from './client-network.js';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

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
