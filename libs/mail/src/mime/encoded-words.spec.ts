import { describe, expect, it } from 'vitest';
import { decodeWords } from './encoded-words.js';

describe('encoded words', () => {
  it.each([
    ['=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'],
    ['=?UTF-8?b?R3LDvMOfZQ==?=', 'Grüße'],
    ['=?iso-8859-1?q?Gr=FC=DFe_aus?= K', 'Grüße aus K'],
    ['Re: =?iso-8859-1*de?Q?Gr=fc=dfe?=', 'Re: Grüße'],
    ['=?koi8-r?B?8NLJ?=', 'При'],
    ['=?iso-2022-jp?B?GyRCRnxLXDhsGyhC?=', '日本語'],
    ['=?iso-2022-jp?B?GyRCRnw=?= =?iso-2022-jp?B?S1w4bBsoQg==?=', '日本語'],
    ['=?utf-7?Q?Gr+APwA3w-e?=', 'Grüße'],
    ['=?utf-7?Q?Gr+APwA3w?= =?utf-7?Q?e?=', 'Grüße'],
    ['=?x-unknown?Q?Gr=FC=DFe?=', 'Grüße'],
    ['=?cp850?Q?Gr=81=E1e?=', 'Grüße'],
    ['=?utf-8?Q?a?= =?utf-8?Q?b?=', 'ab'],
    ['=?utf-8?Q?a?=  and =?utf-8?Q?b?=', 'a  and b'],
    ['=?utf-8?Q?a?==?utf-8?Q?b?=', 'ab'],
    ['=?utf-8?Q?=C3?= =?utf-8?Q?=BC?=', 'ü'],
    ['=?utf-8?B?w7w=?= =?UTF-8?Q?=C3=BC?=', 'üü'],
    ['=?utf-8?B?8J+Y?= =?utf-8?B?gA==?=', '😀'],
    ['=?utf-8?B?8J+?= =?utf-8?B?YgA==?=', '😀'],
    ['=?utf-8?Q?=C3?= =?iso-8859-1?Q?=FC?=', 'Ãü'],
    ['=?utf-8?Q?What??=', 'What?'],
    ['=?utf-8?Q?two words?=', 'two words'],
    ['=?utf-8?Q??=', ''],
    ['=?utf-8?Q?open', '=?utf-8?Q?open'],
    ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
    ['a =? b ?= c', 'a =? b ?= c'],
  ])('decodes %s as %s', (value, text) => {
    expect(decodeWords(value)).toBe(text);
  });

  it.each(['=?', '=?a?q?', '=?utf-8?q?a?= ', ' ', '?='])('decodes a long header of %j quickly', (unit) => {
    expect(decodeWords(unit.repeat(50_000))).toBeTypeOf('string');
  });
});
