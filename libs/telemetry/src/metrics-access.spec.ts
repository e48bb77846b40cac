import { describe, expect, it } from 'vitest';
import { metricsAccess } from './metrics-access.js';

const TOKEN = 'a-token-of-some-length';
const OPEN = { token: undefined, behindProxy: false };

describe('metricsAccess', () => {
  it.each(['127.0.0.1', '::1', '10.1.2.3', '172.18.0.1', '192.168.1.9', '::ffff:10.1.2.3', 'fd00::1', 'fe80::1'])(
    'shows the metrics without a token to %s',
    (address) => {
      expect(metricsAccess(OPEN, { address, headers: {} })).toBe('allowed');
    },
  );

  it.each(['203.0.113.9', '2001:db8::1', '::ffff:203.0.113.9', '', 'nonsense', undefined])(
    'hides the metrics without a token from %s',
    (address) => {
      expect(metricsAccess(OPEN, { address, headers: {} })).toBe('hidden');
    },
  );

  it.each(['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via'])(
    'hides the metrics without a token from requests with %s',
    (name) => {
      expect(metricsAccess(OPEN, { address: '127.0.0.1', headers: { [name]: '127.0.0.1' } })).toBe('hidden');
    },
  );

  it('hides the metrics without a token behind a proxy, even one that sets no header', () => {
    expect(metricsAccess({ ...OPEN, behindProxy: true }, { address: '127.0.0.1', headers: {} })).toBe('hidden');
  });

  it.each([
    [`Bearer ${TOKEN}`, 'allowed'],
    [`bearer  ${TOKEN}`, 'allowed'],
    ['Bearer another', 'unauthorized'],
    ['Bearer ', 'unauthorized'],
    ['', 'unauthorized'],
    [TOKEN, 'unauthorized'],
  ])('shows the metrics from any address to a request with the token: %s', (authorization, access) => {
    for (const address of ['203.0.113.9', '127.0.0.1'])
      expect(metricsAccess({ token: TOKEN, behindProxy: true }, { address, headers: { authorization } })).toBe(access);
  });
});
