import { describe, expect, it } from 'vitest';
import { decodeCharset } from './decode-charset.js';

const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('the decoder of mail texts', () => {
  it.each([
    ['us-ascii', '48656c6c6f', 'Hello'],
    ['iso-8859-1', '4772fcdf65', 'Grüße'],
    ['iso-8859-5', 'bfe0d8d2d5e2', 'Привет'],
    ['iso-8859-8-i', 'f9ece5ed', 'שלום'],
    ['iso-8859-15', 'a4bd', '€œ'],
    ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
    ['windows-1252', '938094', '“€”'],
    ['windows-874', 'cac7d1cab4d5', 'สวัสดี'],
    ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
    ['koi8-t', 'f0d2c9d7c5d4', 'Привет'],
    ['cp850', '477281e165', 'Grüße'],
    ['cp866', '8fe0a8a2a5e2', 'Привет'],
    ['macintosh', '47729fa765', 'Grüße'],
    ['x-mac-ce', 'eb6c75e96f758b6bf9', 'Žluťoučký'],
    ['shift_jis', '93fa967b8cea834a8369', '日本語カナ'],
    ['windows-31j', '8740c3bdc4', '①ﾃｽﾄ'],
    ['euc-jp', 'c6fccbdcb8eca5aba5ca', '日本語カナ'],
    ['iso-2022-jp', '1b2442467c4b5c386c252b254a1b2842', '日本語カナ'],
    ['iso-2022-jp', '1b2849433d441b2842', 'ﾃｽﾄ'],
    ['iso-2022-jp-1', '1b24284430211b2442467c1b2842', '丂日'],
    [
      'iso-2022-jp-2',
      '1b2428442b311b2842201b2442467c1b2842201b242844305f1b2842201b2428433e481b2842201b244226411b2842',
      'é 日 你 안 α',
    ],
    ['gb2312', 'd6d0cec4a3acc4e3bac3', '中文，你好'],
    ['gbk', 'e667d6d0', '鎔中'],
    ['gb18030', '8139ee39d6d0', '㐀中'],
    ['hz-gb-2312', '617e7e7e7b56504e44232c7e7d62', 'a~中文，b'],
    ['big5', 'a4a4a4e5a141a970a66e', '中文，妳好'],
    ['big5-hkscs', '9defa4a4', '嘅中'],
    ['euc-kr', 'bec8b3e7c7cfbcbcbfe4', '안녕하세요'],
    ['ks_c_5601-1987', '94eebec8', '뷁안'],
    ['iso-2022-kr', '1b2429430e3e4833670f206869', '안녕 hi'],
    ['utf-7', '47722b4150774133772d652026202b5a65566e4c412d', 'Grüße & 日本'],
    ['utf-8', 'e697a5e69cace8aa9ee382abe3838a', '日本語カナ'],
    ['utf-8', 'efbbbf4772c3bcc39f65', 'Grüße'],
    ['utf-16', 'fffe2d4e87650cff604f7d59', '中文，你好'],
    ['utf-16', '0061002c00200077006500730074', 'a, west'],
    ['utf-16le', '2d4e87650cff604f7d59', '中文，你好'],
    ['utf-16be', '4e2d6587ff0c4f60597d', '中文，你好'],
    ['utf-32', 'fffe000000f601002d4e0000', '😀中'],
    ['utf-32le', '00f601002d4e0000', '😀中'],
    ['utf-32be', '0001f60000004e2d', '😀中'],
    ['iso-2022-cn', '1b2429410e56504e440f206f6b', '中文 ok'],
  ])('decodes %s, %s, as %s', (label, hex, text) => {
    expect(decodeCharset(fromHex(hex), label)).toBe(text);
  });

  it.each(
    (
      'iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-11 ' +
      'iso-8859-13 iso-8859-14 iso-8859-16 windows-1250 windows-1253 windows-1254 windows-1255 windows-1256 ' +
      'windows-1257 windows-1258 tis-620 koi8-u cp437 cp720 cp737 cp775 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 ' +
      'cp864 cp865 cp869 cp1125 x-mac-cyrillic x-mac-greek x-mac-turkish x-mac-croatian x-mac-romanian ' +
      'x-mac-icelandic kz-1048 ptcp154 hp-roman8 viscii'
    ).split(' '),
  )('has a decoder of its own for %s', (label) => {
    const letters = Buffer.from(Array.from({ length: 128 }, (_, at) => 128 + at));

    expect(decodeCharset(letters, label)).not.toBe(decodeCharset(letters, 'x-unknown'));
  });

  it.each([
    ['UTF8', 'Grüße'],
    ['"utf-8"', 'Grüße'],
    ['utf-8; format=flowed', 'Grüße'],
    ['x-unknown', 'Grüße'],
    ['unknown-8bit', 'Grüße'],
    ['base64', 'Grüße'],
    ['constructor', 'Grüße'],
    ['x-constructor', 'Grüße'],
    ['__proto__', 'Grüße'],
    ['us-ascii', 'Grüße'],
    ['iso-8859-1', 'Grüße'],
    ['gb2312', '日本語'],
    [undefined, 'Grüße'],
  ])('decodes text declared as %s but sent as UTF-8 as %s', (label, text) => {
    expect(decodeCharset(Buffer.from(text), label)).toBe(text);
  });

  it.each([
    ['ansi_x3.4-1968', '937894', '“x”'],
    ['utf-8', '4772fcdf65', 'Grüße'],
    ['unknown-8bit', '4772fcdf65', 'Grüße'],
    ['utf-8', '4772c3bcc39f65c3', 'Grüße\ufffd'],
    ['us-ascii', '1b2442467c4b5c386c1b2842', '日本語'],
    ['cp-850', '8194', 'üö'],
    ['IBM850', '8194', 'üö'],
    ['csPC8CodePage437', '8194', 'üö'],
    ['x-cp437', '8194', 'üö'],
    ['windows1251', 'cff0e8', 'При'],
    ['win-1251', 'cff0e8', 'При'],
    ['x-gbk', 'd6d0', '中'],
    ['gb2312_charset', 'd6d0', '中'],
    ['MS936', 'd6d0', '中'],
    ['mswin936', 'd6d0', '中'],
    ['mswin949', 'bec8', '안'],
    ['EUC_KR', 'bec8', '안'],
    ['x-windows-949', 'bec8', '안'],
    ['sjis-win', '93fa', '日'],
    ['latin-1', 'e4', 'ä'],
    ['iso_8859-1:1987', 'e4', 'ä'],
    ['x-mac-roman', '8a', 'ä'],
  ])('decodes text declared as %s, %s, as %s', (label, hex, text) => {
    expect(decodeCharset(fromHex(hex), label)).toBe(text);
  });

  it('decodes a part of a larger buffer', () => {
    expect(decodeCharset(fromHex('788078').subarray(1, 2), 'windows-1252')).toBe('€');
  });

  it.each(['iso-2022-jp', 'iso-2022-kr', 'hz-gb-2312', 'utf-7', 'utf-32', 'x-unknown'])(
    'decodes megabytes of bytes invalid in %s quickly',
    (label) => {
      for (const unit of ['\u001b', '\u001b$B', '~{', '+', '\u000e', 'é'])
        expect(decodeCharset(Buffer.from(unit.repeat(1_000_000)), label)).toBeTypeOf('string');
    },
  );
});
