import { describe, expect, it } from 'vitest';
import { parseStructuredValue, textParameter } from './structured-value.js';

const nameIn = (value: string): string | null => textParameter(parseStructuredValue(value), 'filename');

describe('a file name', () => {
  it.each([
    ['attachment; filename=list.csv', 'list.csv'],
    ['attachment; FileName="my list.csv"; size=3', 'my list.csv'],
    ['attachment; filename=my list.csv', 'my list.csv'],
    ['attachment; filename="a;b=\\"c\\".txt"', 'a;b="c".txt'],
    ['attachment; filename="C:\\temp\\a.txt"', 'C:\\temp\\a.txt'],
    ['attachment; filename=Invoice(1).pdf (a comment)', 'Invoice(1).pdf'],
    ['attachment (a; comment); filename="open.txt', 'open.txt'],
    ['attachment; filename="=?utf-8?B?R3LDvMOfZS50eHQ=?="', 'Grüße.txt'],
    ["attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt", 'Grüße.txt'],
    ["attachment; filename=a.txt; filename*=iso-8859-1'de'Gr%FC%DFe.txt", 'Grüße.txt'],
    ["attachment; filename*=koi8-r''%F0%D2%C9.txt", 'При.txt'],
    ["attachment; filename*0*=utf-8''Gr%C3; filename*1*=%BC%C3%9F; filename*2=e.txt", 'Grüße.txt'],
    ['attachment; filename*1="report.pdf"; filename*0="the annual "', 'the annual report.pdf'],
    ['attachment; filename*0="=?utf-8?Q?Gr=C3"; filename*1="=BC=C3=9Fe?=.txt"', 'Grüße.txt'],
    ["attachment; filename*1*=%2F..%2Fb; filename*0='%41'", "'%41'%2F..%2Fb"],
    ['attachment; filename*=100%.txt', '100%.txt'],
    ['attachment; filename=""', null],
    ['attachment', null],
  ])('parses %s as %s', (value, name) => {
    expect(nameIn(value)).toBe(name);
  });

  it('keeps the first of two parameters with one name', () => {
    expect(parseStructuredValue('Multipart/Mixed; boundary=one; boundary=two')).toEqual({
      value: 'multipart/mixed',
      parameters: new Map([['boundary', 'one']]),
    });
  });

  it.each([';', ' (', '"', '\\', ' (a)', "filename*1*=%41'';", 'a*0=b;'])(
    'parses a long header of %j in linear time',
    (unit) => {
      for (const sign of ['"', '']) expect(() => nameIn(`attachment; a=${sign}${unit.repeat(50_000)}`)).not.toThrow();
    },
  );
});
