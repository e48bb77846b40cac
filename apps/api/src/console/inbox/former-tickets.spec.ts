import { describe, expect, it } from 'vitest';
import { parseFormer } from './former-tickets.js';

describe('what a form says that tickets were', () => {
  it('is read back as it was written', () => {
    const former = [{ number: 7, values: { state: 'opened', tags: ['a'], assignee: null }, deleted: false }];
    expect(parseFormer(JSON.stringify(former))).toEqual(former);
  });

  it.each([
    ['nothing', ''],
    ['no list', '{}'],
    ['an empty list', '[]'],
    ['no ticket', '[null]'],
    ['a number that is none', '[{"number":1.5,"values":{}}]'],
    ['an unknown part', '[{"number":1,"values":{"account":"x"}}]'],
    ['a part of every object', '[{"number":1,"values":{"constructor":"x"}}]'],
    ['an unknown state', '[{"number":1,"values":{"state":"gone"}}]'],
    ['tags that are none', '[{"number":1,"values":{"tags":[1]}}]'],
    ['a long name', JSON.stringify([{ number: 1, values: { mailbox: 'x'.repeat(501) } }])],
  ])('is refused when it is %s', (_, text) => {
    expect(() => parseFormer(text)).toThrow('This cannot be undone.');
  });
});
