import { describe, expect, it } from 'vitest';
import { pageOfForm } from './sign-in-paths.js';

const HOST = 'desk.example';

describe('pageOfForm', () => {
  it.each([
    ['a ticket', '/tickets/7/messages', { back: 'folder=open&q=a%20b' }, undefined, '/tickets/7?folder=open&q=a%20b'],
    ['a ticket without its list', '/tickets/7/state', {}, undefined, '/tickets/7'],
    ['a form on a page', '/profile/name', {}, `https://${HOST}/profile?x=1`, '/profile?x=1'],
    ['a form at the address of its page', '/profile', {}, `https://${HOST}/profile`, '/profile'],
    ['a form of another site', '/profile/name', {}, 'https://evil.example/profile', '/'],
    ['no address', '/profile/name', {}, 'about:client', '/'],
    ['tickets in bulk', '/tickets/bulk', { back: 'folder=open' }, `https://${HOST}/inbox`, '/inbox'],
  ])('finds the page of %s', (_, url, body, referer, page) => {
    expect(pageOfForm({ url, body, headers: { host: HOST, ...(referer !== undefined && { referer }) } })).toBe(page);
  });
});
