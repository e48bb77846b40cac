import type { NetworkInterfaceInfo } from 'node:os';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AddressGuard } from './address-guard.js';

const guard = new AddressGuard([]);
const reasonOf = (address: string, judge = guard): string => {
  const verdict = judge.verdict(address);
  return verdict.allowed ? 'allowed' : verdict.reason;
};

const hex = (value: number): string => value.toString(16);
const groupsOf = (v4: string, flip = 0): string[] => {
  const bytes = v4.split('.').map(Number);
  return [0, 2].map((at) => hex((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) ^ flip));
};
const isRefused = (address: string): boolean => !guard.verdict(address).allowed;

const anyGroups = (count: number) => fc.array(fc.nat(0xffff).map(hex), { minLength: count, maxLength: count });

describe('AddressGuard', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:200::1',
    '3ffe::1',
    '2606:4700::5eff:7f00:1',
    '2606:4700::100:5efe:7f00:1',
    '2606:4700::5efe:0:7f00:1',
  ])('allows %s', (address) => {
    expect(guard.verdict(address)).toEqual({ allowed: true });
  });

  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.255.255.255', 'unspecified'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['100.100.100.200', 'cloud metadata'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloud metadata'],
    ['169.254.169.254', 'cloud metadata'],
    ['169.254.1.1', 'link-local'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'IPv4-compatible'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:0:127.0.0.1', 'IPv4-translated'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::a00:1', 'NAT64'],
    ['100::1', 'discard-only'],
    ['2001::1', 'Teredo'],
    ['2001:2::1', 'benchmarking'],
    ['2001:10::1', 'reserved'],
    ['2001:20::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['2620:4f:8000::1', 'reserved'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'cloud metadata'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'reserved'],
    ['8000::1', 'reserved'],
  ])('refuses %s as %s', (address, name) => {
    expect(reasonOf(address)).toMatch(new RegExp(`^it is an? ${name} address$`));
  });

  it('uses the right article in its reason', () => {
    expect(reasonOf('::ffff:127.0.0.1')).toBe('it is an IPv4-mapped address');
    expect(reasonOf('10.0.0.1')).toBe('it is a private address');
  });

  it.each([
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    'fe80::1%eth0',
    '::1%lo',
    '[::1]',
    '1.1.1.1 ',
  ])('refuses %j as no plain IP address', (text) => {
    expect(reasonOf(text)).toBe('it is no plain IP address');
  });

  it('refuses a name with one bad address among good ones', () => {
    expect(guard.verdictOnAll(['1.1.1.1', '2606:4700::1111']).allowed).toBe(true);
    expect(guard.verdictOnAll(['1.1.1.1', '10.0.0.1']).allowed).toBe(false);
    expect(guard.verdictOnAll(['::1', '1.1.1.1']).allowed).toBe(false);
  });

  it('allows the networks of the operator and no others', () => {
    const open = new AddressGuard(['127.0.0.0/8', '::1', '10.1.2.3', 'fd00:1::/32']);

    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '10.1.2.3', 'fd00:1::5'])
      expect(reasonOf(address, open)).toBe('allowed');
    for (const address of ['10.1.2.4', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', 'fd00:2::5', '0.0.0.0']) {
      expect(reasonOf(address, open)).not.toBe('allowed');
    }
  });

  it('refuses public addresses of this machine unless the operator allows them', () => {
    const addresses = ['1.1.1.1', '2606:4700:0:0::1111'];
    const interfaces = () => ({ eth0: addresses.map((address) => ({ address }) as NetworkInterfaceInfo) });
    const judge = new AddressGuard([], interfaces);

    for (const address of ['1.1.1.1', '2606:4700::1111'])
      expect(reasonOf(address, judge)).toBe('it is an address of this machine');
    expect(reasonOf('1.1.1.2', judge)).toBe('allowed');
    expect(reasonOf('1.1.1.1', new AddressGuard(['1.1.1.0/24'], interfaces))).toBe('allowed');
  });

  it('notices within seconds that an interface got another address', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let address = '1.1.1.1';
    const judge = new AddressGuard([], () => ({ eth0: [{ address } as NetworkInterfaceInfo] }));
    const before = reasonOf('1.1.1.2', judge);
    address = '1.1.1.2';
    vi.advanceTimersByTime(1_500);

    expect([before, reasonOf('1.1.1.2', judge)]).toEqual(['allowed', 'it is an address of this machine']);
  });

  it('allows public addresses where a sandbox hides the interfaces', () => {
    const judge = new AddressGuard([], () => {
      throw new Error('uv_interface_addresses returned Unknown system error 97');
    });

    expect(reasonOf('1.1.1.1', judge)).toBe('allowed');
  });

  it('rejects an invalid network', () => {
    expect(() => new AddressGuard(['127.0.0.0/33'])).toThrow('CIDR');
    expect(() => new AddressGuard(['localhost'])).toThrow('neither IPv6 nor IPv4');
  });

  it('refuses every IPv6 address that wraps an IPv4 address', () => {
    const wrapped = fc.tuple(fc.ipV4(), anyGroups(8)).chain(([v4, r]) => {
      const [high, low] = groupsOf(v4);
      const [flippedHigh, flippedLow] = groupsOf(v4, 0xffff);
      return fc.constantFrom(
        `::${v4}`,
        `::ffff:${v4}`,
        `::ffff:0:${v4}`,
        `64:ff9b::${v4}`,
        `64:ff9b:1:${r[0]}:${r[1]}:${r[2]}:${v4}`,
        `2002:${high}:${low}:${r[0]}:${r[1]}:${r[2]}:${r[3]}:${r[4]}`,
        `2001:0:${r[0]}:${r[1]}:${r[2]}:${r[3]}:${flippedHigh}:${flippedLow}`,
        `2001:0:${high}:${low}:${r[0]}:${r[1]}:${r[2]}:${r[3]}`,
        `2${hex(Number(`0x${r[7]}`) % 0x1000).padStart(3, '0')}:${r[0]}:${r[1]}:${r[2]}:0:5efe:${v4}`,
        `2a00:${r[0]}:${r[1]}:${r[2]}:200:5efe:${high}:${low}`,
      );
    });

    expect(() => fc.assert(fc.property(wrapped, isRefused), { numRuns: 5_000 })).not.toThrow();
  });
});
