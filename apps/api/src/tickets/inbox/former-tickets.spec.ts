import { describe, expect, it } from 'vitest';
import { parseFormer } from './former-tickets.js';

describe('parseFormer', () => {
  it('parses what was serialised', () => {
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
    ['values in an unknown form', '[{"number":1,"values":{"state":"opened"}}]'],
    ['a part that is not in `left`', '[{"number":1,"was":{"state":"opened"},"left":{}}]'],
    ['a fraction as number', '[{"number":1.5,"was":{},"left":{}}]'],
    ['an unknown part', '[{"number":1,"was":{"account":"x"},"left":{"account":"x"}}]'],
    ['a property of every object', '[{"number":1,"was":{"constructor":"x"},"left":{"constructor":"x"}}]'],
    ['an unknown state', '[{"number":1,"was":{"state":"gone"},"left":{"state":"gone"}}]'],
    ['tags that are no text', '[{"number":1,"was":{"tags":[1]},"left":{"tags":[1]}}]'],
    ['a long name', JSON.stringify([{ number: 1, was: { mailbox: 'x'.repeat(501) }, left: { mailbox: '' } }])],
  ])('rejects %s', (_, text) => {
    expect(() => parseFormer(text)).toThrow('This cannot be undone.');
  });
});
