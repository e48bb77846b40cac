import { describe, expect, it } from 'vitest';
import { hiddenHost, withRealHosts } from './real-hosts.js';

describe('hiddenHost', () => {
  it.each([
    ['bank.example', 'https://evil.example/', 'evil.example'],
    ['https://bank.example/login', 'https://evil.example/?bank.example', 'evil.example'],
    ['Sign in at https://bank.example now', 'http://evil.example', 'evil.example'],
    ['www.bank.example', 'https://bank.example.evil.example/', 'bank.example.evil.example'],
    ['bank.example/account', 'https://203.0.113.7/', '203.0.113.7'],
    ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', 'evil.example'],
    ['BANK.example', 'https://evil.example', 'evil.example'],
    ['shop.bank.example', 'https://bank.example', 'bank.example'],
  ])('names the host behind %j for %s', (text, href, host) => {
    expect(hiddenHost(text, href)).toBe(host);
  });

  it.each([
    ['bank.example', 'https://www.bank.example/a'],
    ['bank.example', 'https://mail.bank.example'],
    ['https://münchen.example/a', 'https://xn--mnchen-3ya.example/b'],
    ['Click here', 'https://evil.example'],
    ['v1.2', 'https://evil.example'],
    ['ana@bank.example', 'mailto:ana@bank.example'],
    ['https://', 'https://evil.example'],
    ['', 'https://evil.example'],
  ])('is null for %j to %s', (text, href) => {
    expect(hiddenHost(text, href)).toBeNull();
  });
});

const link = (text: string, href = 'https://evil.example/?a&amp;b') =>
  `<a title="x" href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>`;

describe('withRealHosts', () => {
  it.each([
    ['text', 'bank.example'],
    ['nested tags', '<b>bank<i>.example</i></b>'],
    ['invisible characters', 'bank.\u200Bexample'],
    ['several lines', 'https://bank.example\n/login'],
  ])('shows the host after %s', (_, text) => {
    expect(withRealHosts(`<p>${link(text)}</p>`)).toBe(`<p>${link(`${text} → evil.example`)}</p>`);
  });

  it.each([
    link('bank.example', 'https://bank.example/'),
    '<a target="_blank">bank.example</a>',
    '&lt;a href="https://evil.example/"&gt;bank.example',
  ])('changes nothing in %s', (html) => {
    expect(withRealHosts(html)).toBe(html);
  });

  it('takes linear time', () => {
    const html = link('bank.example').repeat(2500) + link(`${'a.'.repeat(100_000)}_`) + link('http://'.repeat(50_000));
    const started = performance.now();

    withRealHosts(html);

    expect(performance.now() - started).toBeLessThan(1000);
  });
});
