import { expect, it } from 'vitest';
import { UncountedAddresses } from '../http/uncounted-addresses.js';
import { MailVisits } from './mail-visits.js';

const visits = () => new MailVisits(new UncountedAddresses(['10.0.0.0/8']));
const visit = (remoteAddress: string, n: number) => ({ id: `${remoteAddress} ${n}`, remoteAddress });

it('a network has ten connections at once, and another one when one has ended', () => {
  const open = visits();
  for (let n = 0; n < 10; n++) open.enter(visit(`2001:db8::${n}`, n));
  expect(() => open.enter(visit('2001:db8::ffff', 10))).toThrow('Too many connections');
  open.enter(visit('2001:db8:0:1::1', 11));

  open.leave(visit('2001:db8::3', 3));
  open.leave(visit('2001:db8::3', 3));
  open.enter(visit('2001:db8::ffff', 12));
  expect(() => open.enter(visit('2001:db8::ffff', 13))).toThrow('Too many connections');
});

it.each(['127.0.0.1', '10.1.2.3'])('a relay at %s brings the mail of many', (address) => {
  const open = visits();
  for (let n = 0; n < 30; n++) open.enter(visit(address, n));

  expect(() => open.enter(visit(address, 30))).not.toThrow();
});
