/** Aliases in emails, without separators, by the decoder’s name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'us-ascii': 'us 646 iso646us iso646irv 367 isoir6 ansix34 ansix341968 ansix341986 ascii8bit 20127',
  'utf-8': 'utf8 utf8mb4 unicode11utf8 utf8bom utf 65001',
  'utf-16': 'unicode ucs2 iso10646 iso10646ucs2 iso10646unicode utf16 unicode11',
  'utf-16be': 'utf16be unicodefffe unicodebig unicodebigunmarked xutf16bebom 1201',
  'utf-16le': 'utf16le unicodefeff unicodelittle unicodelittleunmarked xutf16lebom 1200',
  'utf-32': 'ucs4 iso10646ucs4 utf32',
  'utf-32le': '12000',
  'utf-32be': '12001',
  'utf-7': 'unicode11utf7 unicode20utf7 unicode7 utf7 65000',
  'windows-1250': 'windows1250 winlatin2 windowslatin2 ansi1250 iso88592windowslatin2',
  'windows-1251': 'windows1251 wincyrillic ansi1251',
  'windows-1252': 'windows1252 winlatin1 ansi ansi1252 iso88591windows30latin1 iso88591windows31latin1',
  'windows-1253': 'windows1253 wingreek',
  'windows-1254': 'windows1254 winturkish iso88599windowslatin5',
  'windows-1255': 'windows1255 winhebrew',
  'windows-1256': 'windows1256 winarabic',
  'windows-1257': 'windows1257 winbaltic',
  'windows-1258': 'windows1258 winvietnamese viet',
  'windows-874': 'windows874 tis620 tis6202533 isoir166 iso885911 dos874 874 thai',
  'iso-8859-2': 'latin2 isolatin2',
  'iso-8859-6': 'iso88596i iso88596e macarabic macfarsi 10004',
  'iso-8859-8': 'iso88598i iso88598e hebrew visual logical iso88598iwindows machebrew 10005',
  'iso-8859-15': 'latin9 latin0 isolatin9 iso885915euro',
  'koi8-r': 'koi8r koi8 koi',
  'koi8-u': 'koi8u koi8ru',
  shift_jis: 'shiftjis sjis windows31j mskanji shiftjisms cp943 943 pck macjapanese shiftjis2004 shiftjisx0213 932',
  'euc-jp': 'eucjp ujis euc eucjpms packedformatforjapanese eucpkdfmtjapanese 51932 20932 eucjis2004 eucjisx0213',
  'euc-kr': 'euckr ksc56011987 ksc56011989 ksc56011992 ksc5601 ksx1001 uhc korean windows949 mackorean 51949 949',
  gbk: 'gbk gb2312 gb23121980 gb231280 euccn cngb gb chinese macchinesesimp macsimpchinese 51936 iso58gb231280 936',
  gb18030: 'gb18030 gb180302000 gb180302005 54936',
  big5: 'big5 big5eten eten cnbig5 big5hkscs big5hkscs2004 macchinesetrad mactradchinese 951 950',
  'iso-2022': [
    'iso2022jp iso2022jp1 iso2022jp2 iso2022jp3 iso2022jp2004 iso2022jpext iso2022jpms junet jis jis7',
    '50220 50221 50222 iso2022kr 50225 iso2022cn iso2022cnext 50227',
  ].join(' '),
  'hz-gb-2312': 'hzgb2312 hz hzgb 52936',
  cp437: 'pc8codepage437 dos437 doslatinus',
  cp850: 'pc850multilingual pcmultilingual850 dos850 doslatin1',
  cp852: 'pcp852 doslatin2 dos852',
  cp858: 'pcmultilingual850euro 00858 ccsid00858 pc850euro 858',
  cp862: 'pc862latinhebrew dos862 doshebrew',
  cp864: 'dosarabic',
  cp866: 'doscyrillicrussian dos866 doscyrillic',
  maccenteuro: 'macce maccentraleurope maccentraleurroman maccentraleuropean maclatin2 10029',
  maccroatian: '10082',
  macromania: 'macromanian 10010',
  maciceland: 'macicelandic',
  macukraine: 'macukrainian maccyrillic 10017 10007',
  macintosh: 'mac macroman macroman8 applemacintosh',
  hproman8: 'hproman8 roman8 r8',
  pt154: 'ptcp154 csptcp154 cyrillicasian',
  rk1048: 'kz1048 strk10482002',
  armscii8: 'armscii8a armscii',
};

const NAMES = new Map(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

/** Vendors’ prefixes of code pages. */
const PREFIXES = /^(?:cs|mswin|ms|windows|win|cp|ibm|ccsid|codepage|oem|pc|iso)(?=\d|[a-z])/;

/** Some emails decorate names: `gb2312_charset`, `windows-1252http-equiv`, `_iso-2022-jp$ESC`. */
const KNOWN_INSIDE =
  /utf(?:8|16[bl]e|16|7)|iso2022(?:jp|kr|cn)|iso8859(?:1[0-6]|[1-9])|windows(?:125\d|874)|koi8[ru]|gb2312|gbk|gb18030|big5|shiftjis|sjis|euc(?:jp|kr|cn)/;

/** Likeliest first. Emails quote, misspell and decorate names; TextDecoder and iconv-lite know common aliases only. */
export function namesOfCharset(label: string): string[] {
  const written = label
    .trim()
    .replace(/^["']+/, '')
    .split(/["'\s;,*/]/, 1)[0]!
    .slice(0, MAX_NAME_CHARACTERS)
    .toLowerCase();
  const plain = written.replace(/^x-+/, '').replaceAll(/[^a-z0-9]+/g, '');
  const bare = plain.replace(PREFIXES, '');
  const inside = KNOWN_INSIDE.exec(plain)?.[0] ?? '';
  const names = [NAMES.get(plain), NAMES.get(bare), written, plain, codePageOf(bare), bare, NAMES.get(inside), inside];
  return [...new Set(names)].filter((name) => name !== undefined && name !== '') as string[];
}

const MAX_NAME_CHARACTERS = 100;

const codePageOf = (bare: string): string | undefined =>
  /^0*\d{3,5}$/.test(bare) ? `cp${bare.replace(/^0+/, '')}` : undefined;
