import { expect, it } from 'vitest';
import { UncountedAddresses } from '../layers/edge/address-counts.js';
import { SmtpSessions } from './smtp-sessions.js';

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

/** Sessions of a port with clients at the given addresses. */
function port() {
  const sessions = new SmtpSessions(new UncountedAddresses(['10.0.0.0/8']));
  let last = 0;
  return {
    enter(remoteAddress: string): { leave(): void } {
      const session = { id: `${last++}`, remoteAddress };
      sessions.enter(session, connection());
      return { leave: () => sessions.leave(session) };
    },
  };
}

const REFUSED = 'Too many connections from your network';
const hex = (n: number): string => n.toString(16);

it.each([
  ['an address of IPv4', () => '192.0.2.7', '192.0.2.8'],
  ['a /64 of IPv6', (n: number) => `2001:db8::${hex(n)}`, '2001:db8:0:1::1'],
])('allows %s ten connections at once', (_network, address, other) => {
  const sessions = port();
  const opened = Array.from({ length: 10 }, (_, n) => sessions.enter(address(n)));
  expect(() => sessions.enter(address(10))).toThrow(REFUSED);
  expect(() => sessions.enter(other)).not.toThrow();

  opened[3]!.leave();
  opened[3]!.leave();
  sessions.enter(address(11));
  expect(() => sessions.enter(address(12))).toThrow(REFUSED);
});

it('allows a /48 of IPv6 a hundred connections at once, whatever /64 they come from', () => {
  const sessions = port();
  const opened = Array.from({ length: 100 }, (_, n) => sessions.enter(`2001:db8:1:${hex(n)}::1`));
  expect(() => sessions.enter('2001:db8:1:ffff::1')).toThrow(REFUSED);
  expect(() => sessions.enter('2001:db8:2::1')).not.toThrow();

  opened[0]!.leave();
  expect(() => sessions.enter('2001:db8:1:ffff::1')).not.toThrow();
});

it.each(['127.0.0.1', '::1', '10.1.2.3'])('does not count the connections of a relay at %s', (address) => {
  const sessions = port();
  for (let n = 0; n < 30; n++) sessions.enter(address);

  expect(() => sessions.enter(address)).not.toThrow();
});
