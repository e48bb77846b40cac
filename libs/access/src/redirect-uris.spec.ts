import { describe, expect, it } from 'vitest';
import { isRegisteredRedirect, validateHomePage, validateRedirectUri, validateRedirectUris } from './redirect-uris.js';

const faultOf = (field: string, code: string) =>
  expect.objectContaining({ fieldErrors: [expect.objectContaining({ field, code })] });

describe('validateRedirectUri', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'https://app.example',
    'http://127.0.0.1:4001/callback',
    'http://localhost/callback',
    'http://127.0.0.10/callback',
    'http://[::1]:4001/callback',
  ])('returns %s unchanged', (uri) => {
    expect(validateRedirectUri(uri)).toBe(uri);
  });

  it.each([
    ['http over the network', 'http://app.example/callback'],
    ['http to a host that only looks like the loopback', 'http://127.0.0.1.evil.example/callback'],
    ['a fragment', 'https://app.example/callback#here'],
    ['an empty fragment', 'https://app.example/callback#'],
    ['a user name', 'https://user@app.example/callback'],
    ['a wildcard', 'https://*.app.example/callback'],
    ['no host', 'https:///callback'],
    ['a path alone', '/callback'],
    ['a scheme of its own', 'myapp://callback'],
    ['a script', 'javascript:alert(1)'],
    ['a scheme before https', 'view-source:https://app.example/'],
    ['a space', 'https://app.example/call back'],
    ['a back slash', 'https://app.example\\callback'],
    ['capitals in the scheme', 'HTTPS://app.example/callback'],
    ['too many letters', `https://app.example/${'a'.repeat(2048)}`],
  ])('refuses %s with a sentence', (_, uri) => {
    expect(() => validateRedirectUri(uri)).toThrow(/.\.$/);
  });

  it.each([
    ['is longer than 2048 characters', `https://app.example/${'a'.repeat(2029)}`],
    ['has a fragment', 'https://app.example/#'],
    ['has a user name', 'https://:password@app.example/'],
    ['uses http:, which is only for this machine', 'http://10.0.0.1/'],
    ['uses http:, which is only for this machine', 'http://127.0.0.1.example/'],
    ['uses http:, which is only for this machine', 'http://my-localhost/'],
  ])('names the fault: it %s', (fault, uri) => {
    expect(() => validateRedirectUri(uri)).toThrow(fault);
    expect(() => validateRedirectUri(uri)).toThrow(faultOf('redirect_uri', 'invalid_redirect_uri'));
  });

  it('accepts 2,048 characters', () => {
    const uri = `https://app.example/${'a'.repeat(2028)}`;
    expect(validateRedirectUri(uri)).toBe(uri);
  });

  it.each([
    'com.example.app:/callback',
    'com.example.app://callback',
    'com.example-2.app+x:callback',
    'cursor://anysphere.cursor/callback',
    'vscode://vendor.extension',
  ])('returns %s of a public client unchanged, and of no other', (uri) => {
    expect(validateRedirectUri(uri, true)).toBe(uri);
    expect(() => validateRedirectUri(uri)).toThrow('is not an absolute');
  });

  it.each([
    'app:/callback',
    'Com.example.app:/callback',
    '2com.example:/callback',
    'com.:/callback',
    '.com:/callback',
    'com.example.app:',
    'com.example.app:/',
    'com.example.app:/*',
    'com.example.app:/a b',
    'com.example.app:/#a',
    'vscodes://x',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///x',
    'x com.example.app:/callback',
  ])('refuses %s of a public client', (uri) => {
    expect(() => validateRedirectUri(uri, true)).toThrow(/.\.$/);
  });
});

const uris = (count: number) => Array.from({ length: count }, (_, at) => `https://app.example/${at}`);

describe('validateRedirectUris', () => {
  it('accepts 1 to 20, and keeps each once', () => {
    expect(validateRedirectUris(uris(20))).toEqual(uris(20));
    expect(validateRedirectUris([...uris(2), ...uris(1)])).toEqual(uris(2));
    expect(validateRedirectUris(['com.example.app:/cb'], true)).toEqual(['com.example.app:/cb']);
  });

  it.each([
    [0, 'missing_redirect_uri', 'at least one'],
    [21, 'too_many_redirect_uris', 'at most 20'],
  ])('refuses %d', (count, code, words) => {
    expect(() => validateRedirectUris(uris(count))).toThrow(faultOf('redirect_uri', code));
    expect(() => validateRedirectUris(uris(count))).toThrow(words);
  });

  it('accepts private-use schemes of public clients only', () => {
    expect(() => validateRedirectUris(['com.example.app:/cb'])).toThrow('is not an absolute');
  });
});

describe('isRegisteredRedirect', () => {
  const REGISTERED = ['https://app.example/cb', 'http://127.0.0.1/cb?x=1', 'http://[::1]:4001/cb', 'http://localhost'];

  it.each([
    ['https://app.example/cb', true, true],
    ['https://app.example:8443/cb', false, false],
    ['http://127.0.0.1/cb?x=1', true, true],
    ['http://127.0.0.1:4001/cb?x=1', true, false],
    ['http://[::1]:4002/cb', true, false],
    ['http://[::1]/cb', true, false],
    ['http://localhost:1', true, false],
    ['http://localhost:1?', false, false],
    ['http://localhost:1/', false, false],
    ['http://localhost:65536', false, false],
    ['http://localhost:123456', false, false],
    ['http://localhost:1:2', false, false],
    ['http://localhost:1@evil.example', false, false],
    ['http://a:1@localhost', false, false],
    ['http://127.0.0.1:4001/cb', false, false],
    ['http://127.1:4001/cb?x=1', false, false],
    ['ftp://localhost:1', false, false],
    ['nonsense', false, false],
    ['', false, false],
  ])('decides about %j', (uri, isPublic, isConfidential) => {
    expect(isRegisteredRedirect(uri, REGISTERED, true)).toBe(isPublic);
    expect(isRegisteredRedirect(uri, REGISTERED, false)).toBe(isConfidential);
  });

  it('gives no port to an address of the network that looks like one of this machine', () => {
    expect(isRegisteredRedirect('http://10.0.0.1:1/cb', ['http://10.0.0.1/cb'], true)).toBe(false);
    expect(isRegisteredRedirect('http://localhost:1', ['https://localhost:1'], true)).toBe(false);
  });
});

describe('validateHomePage', () => {
  it.each(['https://app.example', 'http://app.example/a?b#c'])('accepts %s', (text) => {
    expect(validateHomePage(text)).toBe(new URL(text).href);
  });

  it.each([
    'app.example',
    'javascript:alert(1)',
    'https:///',
    'https:app.example',
    ' https://app.example',
    `https://a/${'b'.repeat(2048)}`,
  ])('refuses %.30j', (text) => {
    expect(() => validateHomePage(text)).toThrow(faultOf('home_page', 'invalid_home_page'));
  });
});
