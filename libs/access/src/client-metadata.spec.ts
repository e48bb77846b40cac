import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheSeconds, isMetadataUrl, parseClientMetadata } from './client-metadata.js';

const URL_OF_CLIENT = 'https://app.example:8443/oauth/client.json';
const DOCUMENT = { client_id: URL_OF_CLIENT, redirect_uris: ['https://app.example:8443/callback'] };

const parse = (changes: Record<string, unknown>) =>
  parseClientMetadata(URL_OF_CLIENT, JSON.stringify({ ...DOCUMENT, ...changes }));

describe('isMetadataUrl', () => {
  it.each([
    URL_OF_CLIENT,
    'https://app.example/a',
    'https://app.example/a/',
    'https://xn--bcher-kva.example/client',
    'https://[2606:4700::1111]/client',
  ])('accepts %s', (text) => {
    expect(isMetadataUrl(text, true)).toBe(true);
  });

  it.each([
    ['no path', 'https://app.example'],
    ['an empty path', 'https://app.example/'],
    ['a query', 'https://app.example/client?id=1'],
    ['an empty query', 'https://app.example/client?'],
    ['a fragment', 'https://app.example/client#a'],
    ['an empty fragment', 'https://app.example/client#'],
    ['a user name', 'https://user@app.example/client'],
    ['an empty user name', 'https://@app.example/client'],
    ['a dot segment', 'https://app.example/./client'],
    ['two dots', 'https://app.example/a/../client'],
    ['escaped dots', 'https://app.example/a/%2e%2E/client'],
    ['a dot at the end', 'https://app.example/a/.'],
    ['a backslash', 'https://app.example\\client'],
    ['capitals in the host', 'https://App.example/client'],
    ['capitals in the scheme', 'HTTPS://app.example/client'],
    ['the default port', 'https://app.example:443/client'],
    ['an unescaped space', 'https://app.example/cli ent'],
    ['a NUL', 'https://app.example/\u0000'],
    ['letters beyond ASCII', 'https://bücher.example/client'],
    ['http', 'http://app.example/client'],
    ['http on this machine', 'http://127.0.0.1:3000/client'],
    ['another scheme', 'javascript:alert(1)'],
    ['a registered client ID', 'kSYQ8cYcG6mP2vDq'],
    ['too many characters', `https://app.example/${'a'.repeat(2_048)}`],
  ])('refuses %s', (_what, text) => {
    expect(isMetadataUrl(text, true)).toBe(false);
  });

  it.each([
    ['http://127.0.0.1:3000/client', true],
    ['http://localhost/client', true],
    ['http://[::1]:3000/client', true],
    ['http://app.example/client', false],
    ['http://127.0.0.1.evil.example/client', false],
  ])('decides on %s where http is allowed', (text, expected) => {
    expect(isMetadataUrl(text, false)).toBe(expected);
  });
});

describe('parseClientMetadata', () => {
  it('reads a whole document', () => {
    const uris = ['http://127.0.0.1/callback', 'http://[::1]:4001/callback', 'https://app.example:8443/callback?a=b'];
    const parsed = parse({
      client_name: ' Ticket\u0000 Mirror\u202e\n',
      client_uri: 'https://app.example:8443/home',
      redirect_uris: [...uris, uris[0]],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read',
      logo_uri: 'http://169.254.169.254/',
      contacts: [null],
    });

    const homePage = 'https://app.example:8443/home';
    const metadata = { clientId: URL_OF_CLIENT, name: 'Ticket Mirror', homePage, redirectUris: uris };
    expect(parsed).toEqual({ kind: 'metadata', metadata });
  });

  it.each([undefined, null, '', ' \u200b'])('names the client after its host if client_name is %j', (name) => {
    expect(parse({ client_name: name })).toMatchObject({ metadata: { name: 'app.example:8443' } });
  });

  it.each([
    'https://other.example/',
    'https://user@app.example:8443/',
    'javascript:alert(1)',
    ['https://app.example:8443/'],
    'app',
  ])('ignores the home page %j', (uri) => {
    expect(parse({ client_uri: uri })).toMatchObject({ metadata: { homePage: null } });
  });

  it.each([
    ['another client_id', { client_id: `${URL_OF_CLIENT}/` }, 'client_id'],
    ['a client_id in a list', { client_id: [URL_OF_CLIENT] }, 'client_id'],
    ['a secret', { client_secret: 'x' }, 'client_secret'],
    ['a shared secret', { token_endpoint_auth_method: 'client_secret_basic' }, 'cannot share a secret'],
    ['a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method'],
    ['methods in a list', { token_endpoint_auth_method: ['none'] }, 'token_endpoint_auth_method'],
    ['another grant', { grant_types: ['client_credentials'] }, 'grant_types must include authorization_code'],
    ['a grant as text', { grant_types: 'authorization_code' }, 'grant_types'],
    ['another response', { response_types: ['token'] }, 'response_types must include code'],
    ['no redirect URIs', { redirect_uris: undefined }, 'redirect_uris'],
    ['an empty list of redirect URIs', { redirect_uris: [] }, 'redirect_uris'],
    ['a redirect URI as text', { redirect_uris: DOCUMENT.redirect_uris[0] }, 'redirect_uris'],
    ['a redirect URI in an object', { redirect_uris: { 0: 'https://app.example:8443/', length: 1 } }, 'redirect_uris'],
    ['a number among redirect URIs', { redirect_uris: [...DOCUMENT.redirect_uris, 7] }, 'redirect_uris'],
    ['a NUL in a redirect URI', { redirect_uris: ['https://app.example:8443/\u0000'] }, 'redirect_uris'],
    ['half a character in a redirect URI', { redirect_uris: ['https://app.example:8443/\ud800'] }, 'redirect_uris'],
    ['21 redirect URIs', { redirect_uris: Array.from({ length: 21 }, (_, at) => `http://[::1]/${at}`) }, '1 to 20'],
    ['a redirect to another host', { redirect_uris: ['https://evil.example/'] }, 'must have one on app.example:8443'],
    ['a redirect to another port', { redirect_uris: ['https://app.example/'] }, 'must have one on app.example:8443'],
    ['a redirect with a fragment', { redirect_uris: ['https://app.example:8443/#a'] }, 'fragment'],
    ['a redirect over the network', { redirect_uris: ['http://app.example:8443/'] }, 'must have one'],
    ['a script', { redirect_uris: ['javascript:alert(1)//app.example:8443'] }, 'must have one'],
    ['a name in a list', { client_name: ['Mirror'] }, 'client_name'],
    ['a name in an object', { client_name: { toString: 'Mirror' } }, 'client_name'],
    ['a long name', { client_name: 'é'.repeat(101) }, 'client name must have 1 to 100 characters'],
  ])('refuses %s', (_what, changes, words) => {
    expect(parse(changes)).toEqual({ kind: 'refused', detail: expect.stringContaining(words) });
  });

  it('drops redirect URIs that the document does not speak for', () => {
    const redirect_uris = ['https://evil.example/', 'http://127.0.0.1/callback', 'com.example.app:/callback'];

    expect(parse({ redirect_uris })).toMatchObject({ metadata: { redirectUris: ['http://127.0.0.1/callback'] } });
  });

  it.each([
    '',
    'null',
    '"text"',
    '[]',
    '7',
    '{',
    '\ufeff{}',
    '['.repeat(5_000),
    `${'{"client_id":'.repeat(390)}1${'}'.repeat(390)}`,
    `{"__proto__": ${JSON.stringify(DOCUMENT)}}`,
    '{"constructor": {"prototype": {}}}',
  ])('refuses the document %.40j', (text) => {
    expect(parseClientMetadata(URL_OF_CLIENT, text)).toMatchObject({ kind: 'refused' });
  });

  it('never throws on any JSON', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const names = ['client_name', 'client_uri', 'redirect_uris', 'grant_types', 'token_endpoint_auth_method'];
    const documents = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, fc.array(fc.webUrl()), fc.webUrl()));

    expect(() => fc.assert(fc.property(documents, (one) => parse(one).kind !== undefined))).not.toThrow();
  });
});

describe('cacheSeconds', () => {
  it.each([
    [null, 3_600],
    ['', 3_600],
    ['public', 3_600],
    ['max-age=7200', 7_200],
    ['public, MAX-AGE="7200", immutable', 7_200],
    ['s-maxage=10', 3_600],
    ['max-age=1', 300],
    ['max-age=0', 300],
    ['max-age=-1', 3_600],
    [`max-age=${'9'.repeat(400)}`, 86_400],
    ['no-store', 300],
    ['max-age=7200, no-cache', 300],
  ])('reads %j', (header, seconds) => {
    expect(cacheSeconds(header)).toBe(seconds);
  });
});
