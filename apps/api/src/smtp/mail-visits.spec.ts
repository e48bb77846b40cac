import { expect, it } from 'vitest';
import { UncountedAddresses } from '../edge/uncounted-addresses.js';
import { MailVisits } from './mail-visits.js';

const ignore = () => undefined;
const connection = () => ({
  send: ignore,
  handler_NOOP: ignore,
  handler_RSET: ignore,
  handler_VRFY: ignore,
  handler_HELP: ignore,
  handler_EHLO: ignore,
  handler_HELO: ignore,
  handler_MAIL: ignore,
});

/** Sessions of a port whose clients come from the given addresses. */
function port() {
  const visits = new MailVisits(new UncountedAddresses(['10.0.0.0/8']));
  let last = 0;
  return {
    enter(remoteAddress: string): { leave(): void } {
      const session = { id: `${last++}`, remoteAddress };
      visits.enter(session, connection());
      return { leave: () => visits.leave(session) };
    },
  };
}

const REFUSED = 'Too many connections from your network';
const hex = (n: number): string => n.toString(16);

it.each([
  ['an address of IPv4', () => '192.0.2.7', '192.0.2.8'],
  ['a /64 of IPv6', (n: number) => `2001:db8::${hex(n)}`, '2001:db8:0:1::1'],
])('allows %s ten connections at once', (_network, address, other) => {
  const visits = port();
  const opened = Array.from({ length: 10 }, (_, n) => visits.enter(address(n)));
  expect(() => visits.enter(address(10))).toThrow(REFUSED);
  expect(() => visits.enter(other)).not.toThrow();

  opened[3]!.leave();
  opened[3]!.leave();
  visits.enter(address(11));
  expect(() => visits.enter(address(12))).toThrow(REFUSED);
});

it('allows a /48 of IPv6 a hundred connections at once, whatever /64 they come from', () => {
  const visits = port();
  const opened = Array.from({ length: 100 }, (_, n) => visits.enter(`2001:db8:1:${hex(n)}::1`));
  expect(() => visits.enter('2001:db8:1:ffff::1')).toThrow(REFUSED);
  expect(() => visits.enter('2001:db8:2::1')).not.toThrow();

  opened[0]!.leave();
  expect(() => visits.enter('2001:db8:1:ffff::1')).not.toThrow();
});

it.each(['127.0.0.1', '::1', '10.1.2.3'])('does not count the connections of a relay at %s', (address) => {
  const visits = port();
  for (let n = 0; n < 30; n++) visits.enter(address);

  expect(() => visits.enter(address)).not.toThrow();
});
