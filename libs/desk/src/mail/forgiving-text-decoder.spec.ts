import { describe, expect, it } from 'vitest';
import { ForgivingTextDecoder } from './forgiving-text-decoder.js';

const decoded = (label: string, bytes: Uint8Array): string => new ForgivingTextDecoder(label).decode(bytes);

describe('text of a mail', () => {
  it.each([
    ['windows-1252', [0x80, 0x20, 0x93, 0x61, 0x94], '€ “a”'],
    ['iso-8859-1', [0x93, 0x61, 0x94], '“a”'],
    ['us-ascii', [...Buffer.from('Grüße')], 'Grüße'],
    ['iso-8859-1', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
    ['utf-8', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße'],
    ['utf-8', [...Buffer.from('Grüße'), 0xc3], 'Grüße\ufffd'],
    ['utf-8', [...Buffer.from('日本語')], '日本語'],
    ['koi8-r', [0xf0, 0xd2, 0xc9], 'При'],
    ['shift_jis', [0x83, 0x65], 'テ'],
  ])('that says it is %s, %j, reads %s', (label, bytes, text) => {
    expect(decoded(label, Uint8Array.from(bytes))).toBe(text);
  });

  it('may be a part of other bytes', () => {
    const all = Uint8Array.from([0x78, 0x80, 0x78]);

    expect(decoded('windows-1252', all.subarray(1, 2))).toBe('€');
  });
});
