import { describe, expect, it } from 'vitest';
import { parseFormer } from './former-tickets.js';

describe('what a form says that tickets were', () => {
  it('is read back as it was written', () => {
    const was = { state: 'opened', tags: ['a'], assignee: null };
    const left = { state: 'closed', tags: [], assignee: 'noah@acme.test' };
    const former = [{ number: 7, was, left, deleted: false }];
    expect(parseFormer(JSON.stringify(former))).toEqual(former);
  });

  it.each([
    ['nothing', ''],
    ['no list', '{}'],
    ['an empty list', '[]'],
    ['no ticket', '[null]'],
    ['of an earlier version', '[{"number":1,"values":{"state":"opened"}}]'],
    ['without what was made of it', '[{"number":1,"was":{"state":"opened"},"left":{}}]'],
    ['a number that is none', '[{"number":1.5,"was":{},"left":{}}]'],
    ['an unknown part', '[{"number":1,"was":{"account":"x"},"left":{"account":"x"}}]'],
    ['a part of every object', '[{"number":1,"was":{"constructor":"x"},"left":{"constructor":"x"}}]'],
    ['an unknown state', '[{"number":1,"was":{"state":"gone"},"left":{"state":"gone"}}]'],
    ['tags that are none', '[{"number":1,"was":{"tags":[1]},"left":{"tags":[1]}}]'],
    ['a long name', JSON.stringify([{ number: 1, was: { mailbox: 'x'.repeat(501) }, left: { mailbox: '' } }])],
  ])('is refused when it is %s', (_, text) => {
    expect(() => parseFormer(text)).toThrow('This cannot be undone.');
  });
});
