import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOutgoingUrl } from './outgoing-url.js';

const codeOf = (text: string, requireHttps = false): string => {
  const checked = checkOutgoingUrl(text, { requireHttps });
  return checked.ok ? 'ok' : checked.code;
};

const ofLength = (length: number): string => 'https://example.com/'.padEnd(length, 'a');

const isJudged = (text: string): boolean => checkOutgoingUrl(text, { requireHttps: false }).ok !== undefined;

const HARD_CHARACTERS = 'a1.:@/\\?#%[] \t\r\n\u0000\ud800\u3002ä'.split('');

const isHarmless = ([scheme, host, rest]: readonly [string, string, string]): boolean => {
  const checked = checkOutgoingUrl(`${scheme}${host}/${rest}`, { requireHttps: false });
  if (!checked.ok) return true;
  const { url } = checked;
  const wire = url.pathname + url.search;
  const names = url.hostname.replace(/\.$/, '').split('.');
  return /^\/[\x21-\x7e]*$/.test(wire) && url.username + url.password + url.hash === '' && !names.includes('');
};

describe('the URL of an outgoing request', () => {
  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM/',
    'http://example.com:8080/hooks',
    'https://bücher.example/straße',
    'https://[2606:4700::1111]:8443/',
    'https://example.com./',
    'https://example.com/@user/path:with@signs',
    'http://localhost:3000/hooks',
  ])('accepts %s', (text) => {
    expect(codeOf(text)).toBe('ok');
  });

  it('may have letters beyond ASCII, however often an address was checked', () => {
    for (let count = 0; count < 20_000; count++) codeOf('https://example.com/');

    expect(codeOf('https://bücher.example/')).toBe('ok');
  });

  it.each([
    ['', 'url_scheme'],
    ['example.com/hooks', 'url_scheme'],
    ['ftp://example.com/', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['httpsx://example.com', 'url_scheme'],
    ['https:example.com', 'url_malformed'],
    ['https:///example.com', 'url_malformed'],
    ['https://', 'url_malformed'],
    ['https://?x', 'url_malformed'],
    ['https://.', 'url_malformed'],
    ['https://example.com../', 'url_malformed'],
    ['http://127.0.0.1%2e%2e/', 'url_malformed'],
    ['http://127.0.0.1\u3002\u3002/', 'url_malformed'],
    ['https://:443/', 'url_malformed'],
    ['https://exa mple.com/', 'url_malformed'],
    ['https://example.com/\r\nX-Injected: 1', 'url_malformed'],
    ['https://exam\u00adple.com/', 'url_malformed'],
    ['https://example.com\u2028/', 'url_malformed'],
    ['https://good.example\\@evil.example/', 'url_malformed'],
    ['https://example.com:99999/', 'url_malformed'],
    ['https://[fe80::1%25eth0]/', 'url_malformed'],
    ['https://exa%00mple.com/', 'url_malformed'],
    ['https://user@example.com/', 'url_credentials'],
    ['https://user:secret@example.com/', 'url_credentials'],
    ['https://example.com/#top', 'url_fragment'],
    ['http://example.com:0/', 'url_port'],
    ['http://example.com:6379/', 'url_port'],
  ])('refuses %j (%s)', (text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('refuses more than 2048 characters', () => {
    expect(codeOf(ofLength(2048))).toBe('ok');
    expect(codeOf(ofLength(2049))).toBe('url_too_long');
  });

  it('requires https if the operator does', () => {
    expect(codeOf('http://example.com/', true)).toBe('url_https_required');
    expect(codeOf('https://example.com/', true)).toBe('ok');
  });

  it('never throws on any text', () => {
    const codeUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl(),
      codeUnits,
      codeUnits.map((text) => `http://${text}`),
      codeUnits.map((text) => `https://example.com/${text}`),
    );

    expect(() => fc.assert(fc.property(anything, isJudged), { numRuns: 2_000 })).not.toThrow();
  });

  it('accepts only URLs with a whole host that fit into one request line', () => {
    const part = fc.string({ unit: fc.constantFrom(...HARD_CHARACTERS), maxLength: 12 });
    const built = fc.tuple(fc.constantFrom('http://', 'https://', 'http:/', 'HTTP://'), part, part);

    expect(() => fc.assert(fc.property(built, isHarmless), { numRuns: 5_000 })).not.toThrow();
  });
});
