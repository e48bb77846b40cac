import { describe, expect, it } from 'vitest';
import { isAutomatic } from './automatic-mail.js';

const judged = (headers: Readonly<Record<string, string>>, envelopeFrom: string | null = 'ana@client.test'): boolean =>
  isAutomatic((name) => headers[name], envelopeFrom);

describe('a mail', () => {
  it.each([
    [{ 'auto-submitted': 'auto-replied' }],
    [{ 'auto-submitted': 'Auto-Generated; owner-email="x@y.test"' }],
    [{ precedence: 'bulk' }],
    [{ precedence: 'List' }],
    [{ 'list-id': '<news.shop.test>' }],
    [{ 'x-auto-response-suppress': 'All' }],
    [{ 'return-path': '<>' }],
  ])('with %j was written by no person', (headers) => {
    expect(judged(headers)).toBe(true);
  });

  it('without a sender in its envelope was written by no person', () => {
    expect(judged({}, '')).toBe(true);
  });

  it.each([[{}], [{ 'auto-submitted': 'no' }], [{ precedence: 'first-class' }], [{ 'return-path': '<ana@x.test>' }]])(
    'with %j was written by a person',
    (headers) => {
      expect(judged(headers, null)).toBe(false);
    },
  );
});
