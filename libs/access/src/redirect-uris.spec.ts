import { describe, expect, it } from 'vitest';
import { validateRedirectUri, validateRedirectUris } from './redirect-uris.js';

describe('validateRedirectUri', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'https://app.example',
    'http://127.0.0.1:4001/callback',
    'http://localhost/callback',
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
    ['a space', 'https://app.example/call back'],
    ['a back slash', 'https://app.example\\callback'],
    ['capitals in the scheme', 'HTTPS://app.example/callback'],
    ['too many letters', `https://app.example/${'a'.repeat(2048)}`],
  ])('refuses %s with a sentence', (_, uri) => {
    expect(() => validateRedirectUri(uri)).toThrow(/.\.$/);
  });

  it('refuses an empty list of redirect URIs', () => {
    expect(() => validateRedirectUris([])).toThrow('at least one');
  });
});
