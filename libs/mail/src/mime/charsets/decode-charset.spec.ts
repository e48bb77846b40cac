import { describe, expect, it } from 'vitest';
import { decodeCharset } from './decode-charset.js';

const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

describe('the decoder of mail texts', () => {
  it.each([
    ['us-ascii', '48656c6c6f', 'Hello'],
    ['iso-8859-1', '4772fcdf65', 'Grüße'],
    ['iso-8859-2', 'ae6c75bb6f75e86bfd', 'Žluťoučký'],
    ['iso-8859-3', 'd875737465', 'Ĝuste'],
    ['iso-8859-4', 'eceae7b9f9', 'ėęįšų'],
    ['iso-8859-5', 'bfe0d8d2d5e2', 'Привет'],
    ['iso-8859-6', 'e5d1cdc8c7', 'مرحبا'],
    ['iso-8859-7', 'cae1ebe7ecddf1e1', 'Καλημέρα'],
    ['iso-8859-8', 'f9ece5ed', 'שלום'],
    ['iso-8859-8-i', 'f9ece5ed', 'שלום'],
    ['iso-8859-9', 'fdf0fee7', 'ığşç'],
    ['iso-8859-10', 'eceae7baf9', 'ėęįšų'],
    ['iso-8859-11', 'cac7d1cab4d5', 'สวัสดี'],
    ['iso-8859-13', 'ebe6e1f0f8', 'ėęįšų'],
    ['iso-8859-14', 'd0fe', 'Ŵŷ'],
    ['iso-8859-15', 'a4bd', '€œ'],
    ['iso-8859-16', 'aa746972', 'Știr'],
    ['windows-1250', '8e6c759d6f75e86bfd', 'Žluťoučký'],
    ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
    ['windows-1252', '938094', '“€”'],
    ['windows-1253', 'cae1ebe7ecddf1e1', 'Καλημέρα'],
    ['windows-1254', 'fdf0fee7', 'ığşç'],
    ['windows-1255', 'f9ece5ed', 'שלום'],
    ['windows-1256', 'e3d1cdc8c7', 'مرحبا'],
    ['windows-1257', 'ebe6e1f0f8', 'ėęįšų'],
    ['windows-1258', 'e96ce87665', 'élève'],
    ['windows-874', 'cac7d1cab4d5', 'สวัสดี'],
    ['tis-620', 'cac7d1cab4d5', 'สวัสดี'],
    ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
    ['koi8-u', 'a7d6c1cb', 'їжак'],
    ['koi8-t', 'f0d2c9d7c5d4', 'Привет'],
    ['cp437', '826c8a7665', 'élève'],
    ['cp720', 'eaa9a5a09f', 'مرحبا'],
    ['cp737', '8998a29ea3e2a898', 'Καλημέρα'],
    ['cp775', 'd3d2d4d5d6', 'ėęįšų'],
    ['cp850', '477281e165', 'Grüße'],
    ['cp852', 'a66c759c6f759f6bec', 'Žluťoučký'],
    ['cp855', 'dde1b7eba8e5', 'Привет'],
    ['cp857', '8da79f87', 'ığşç'],
    ['cp858', 'd52082', '€ é'],
    ['cp860', '636f726187846f', 'coração'],
    ['cp861', '8d958b8c', 'ÞþÐð'],
    ['cp862', '998c858d', 'שלום'],
    ['cp863', '826c8a7665', 'élève'],
    ['cp864', 'e5a8', 'ﻣﺎ'],
    ['cp865', '929d8f919b86', 'ÆØÅæøå'],
    ['cp866', '8fe0a8a2a5e2', 'Привет'],
    ['cp869', 'b5d6e5e1e69debd6', 'Καλημέρα'],
    ['cp1125', 'f9a6a0aa', 'їжак'],
    ['macintosh', '47729fa765', 'Grüße'],
    ['x-mac-ce', 'eb6c75e96f758b6bf9', 'Žluťoučký'],
    ['x-mac-cyrillic', '8ff0e8e2e5f2', 'Привет'],
    ['x-mac-greek', 'bae1ece8eddbf2e1', 'Καλημέρα'],
    ['x-mac-turkish', 'dddbdf8d', 'ığşç'],
    ['x-mac-croatian', 'c861e8616b', 'Čačak'],
    ['x-mac-romanian', 'be89', 'ăâ'],
    ['x-mac-icelandic', 'dedfdcdd', 'ÞþÐð'],
    ['kz-1048', 'cff0e8e2e5f2', 'Привет'],
    ['ptcp154', 'cff0e8e2e5f2', 'Привет'],
    ['hp-roman8', 'c56cc97665', 'élève'],
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
    ['viscii', '5469aa6e67', 'Tiếng'],
  ])('decodes %s, %s, as %s', (label, hex, text) => {
    expect(decodeCharset(fromHex(hex), label)).toBe(text);
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
