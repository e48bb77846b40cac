import { expect, it } from 'vitest';
import { networksOf } from './credentials.service.js';

it.each([
  ['192.0.2.7', ['192.0.2.7']],
  ['::ffff:192.0.2.7', ['192.0.2.7']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:DB8:1:2::', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['::1', ['::/64', '::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/48']],
  ['192.0.2.7:4711', ['192.0.2.7']],
  ['[2001:db8:1:2::3]:4711', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['[2001:db8:1:2::3]', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['unknown:4711', ['unknown:4711']],
  ['unknown', ['unknown']],
  ['', ['']],
  ['x'.repeat(100), ['x'.repeat(64)]],
])('counts %s for %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});
