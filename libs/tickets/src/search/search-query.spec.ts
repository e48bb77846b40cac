import { describe, expect, it } from 'vitest';
import { parseSearch, unknownOperators } from './search-query.js';

const partsOf = (text: string) =>
  parseSearch(text).map(({ excluded, ...part }) => {
    const { kind, ...rest } =
      'words' in part ? { ...part, words: part.words.map((word) => word.text).join(' ') } : part;
    return `${excluded ? 'not ' : ''}${kind} ${JSON.stringify(Object.values(rest))}`;
  });

describe('parseSearch', () => {
  it.each([
    ['red shoes', ['words ["red",false,null]', 'words ["shoes",false,null]']],
    ['"red shoes"', ['words ["red shoes",true,null]']],
    ['-refund', ['not words ["refund",false,null]']],
    ['#297', ['number [297]']],
    ['297', ['words ["297",false,297]']],
    ['"297"', ['words ["297",true,null]']],
    ['#9999999999', ['number [null]']],
    ['9999999999', ['words ["9999999999",false,null]']],
    ['from:ana@shop.example', ['customer ["ana shop example",false]']],
    ['FROM:"Ana García"', ['customer ["ana garcia",true]']],
    ['-tag:"red hot"', ['not tag ["red hot"]']],
    ['mailbox:"Second desk" -group:None', ['mailbox ["Second desk"]', 'not group ["None"]']],
    ['group:Billing priority:HIGH priority:none', ['group ["Billing"]', 'priority ["high"]', 'priority ["none"]']],
    ['assignee:me', ['assignee ["me"]']],
    ['state:pending is:open', ['state ["pending"]', 'state ["open"]']],
    ['has:attachment', ['attachment []']],
    ['is:waiting is:Unanswered', ['waiting []', 'waiting []']],
    ['before:2026-03', ['created ["before","2026-03-01T00:00:00.000Z"]']],
    ['after:2024-02-29', ['created ["after","2024-02-29T00:00:00.000Z"]']],
    ['https://shop.example', ['words ["https shop example",false,null]']],
    ['constructor:x', ['words ["constructor x",false,null]']],
    ['hello: "open end', ['words ["hello",false,null]', 'words ["open end",true,null]']],
    ['- -- !!! "" \' \\ .* (a+)+$', ['words ["a",false,null]']],
    ['', []],
  ])('parses %j', (text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  it.each([
    'from:',
    'from:"!"',
    'state:exploded',
    'is:lost',
    'priority:highest',
    'mailbox:',
    'has:everything',
    'before:yesterday',
    'after:2026-02-30',
    'before:0000',
    Array.from({ length: 25 }, (_, place) => `word${place}`).join(' '),
  ])('refuses %j with a reason', (text) => {
    expect(() => parseSearch(text)).toThrow(/needs|knows|at most/);
  });
});

describe('unknownOperators', () => {
  it.each([
    ['foo:bar tag:vip -Asignee:"me"', ['foo', 'asignee']],
    ['https://shop.example re: order std::vector 10:30 order2:7 "foo:bar"', []],
    ['is:open constructor:x', ['constructor']],
  ])('finds those of %j', (text, unknown) => {
    expect(unknownOperators(text)).toEqual(unknown);
  });
});
