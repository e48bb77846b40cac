import { describe, expect, it } from 'vitest';
import { partsOfMail, textOfPart } from './bodies.js';
import { type MimeLimits, readMime } from './mime-part.js';

const LIMITS: MimeLimits = { depth: 5, parts: 20, headerBytes: 2000 };

const read = (lines: readonly string[], end = '\r\n') => {
  const { text, files } = partsOfMail(readMime(Buffer.from(lines.join(end)), LIMITS));
  return {
    text: text.map((part) => textOfPart(part)),
    files: files.map(({ name, type, content }) => [name, type, content.toString()]),
  };
};

/** Encodes a file as `uuencode` does. */
const uuencoded = (name: string, content: string, end = '\r\n'): string => {
  const lines = Array.from({ length: Math.ceil(content.length / 45) }, (_, at) => {
    const bytes = Buffer.from(content, 'latin1').subarray(at * 45, at * 45 + 45);
    const groups = Array.from({ length: Math.ceil(bytes.length / 3) }, (_none, group) => {
      const [a = 0, b = 0, c = 0] = bytes.subarray(group * 3, group * 3 + 3);
      return [a >> 2, ((a << 4) | (b >> 4)) & 63, ((b << 2) | (c >> 6)) & 63, c & 63];
    });
    return [bytes.length, ...groups.flat()].map((value) => String.fromCharCode(value + 32)).join('');
  });
  return [`begin 644 ${name}`, ...lines, ' ', 'end'].join(end);
};

describe('uuencoded files within a text', () => {
  it.each(['\r\n', '\n'])('moves uuencoded files out of a text whose lines end with %j', (end) => {
    const long = 'All of it.\0\0\0'.repeat(20);
    const body = ['See both:', uuencoded('a.bin', long, end), 'and', uuencoded('ü b.txt', 'Hi', end), 'Bye.'];

    expect(read(['Content-Type: text/plain; charset=utf-8', '', ...body], end)).toEqual({
      text: ['See both:\nand\nBye.'],
      files: [
        ['a.bin', 'application/octet-stream', long],
        ['ü b.txt', 'application/octet-stream', 'Hi'],
      ],
    });
  });

  it('decodes whole files after a server removed the blanks at the ends of their lines', () => {
    const zeros = `${'abc'.repeat(12)}${'\0'.repeat(9)}`.repeat(5);
    const body = uuencoded('a', zeros).replaceAll(/ +(?=\r\n)/g, '');

    expect(read(['', body]).files).toEqual([['a', 'application/octet-stream', zeros]]);
  });

  it.each([
    ['begins a sentence', 'begin 644 times\r\nand never end\r\nend'],
    ['has no end', 'begin 644 a\r\n%2&5L;&\\`\r\n`'],
    ['stands for much more than it has', `begin 644 a\r\n${'M\r\n'.repeat(99)}end`],
    ['has no name', 'begin 644 \r\n`\r\nend'],
  ])('leaves the text unchanged if a file in it %s', (_what, body) => {
    const { text, files } = read(['', body]);

    expect([text, files]).toEqual([[body.replaceAll('\r\n', '\n')], []]);
  });

  it('takes at most a hundred files out of a text', () => {
    const { text, files } = read(['', ...Array.from({ length: 102 }, () => uuencoded('a', 'Hi'))]);

    expect(files).toHaveLength(100);
    expect(text[0]).toBe(`${uuencoded('a', 'Hi', '\n')}\n${uuencoded('a', 'Hi', '\n')}`);
  });
});

it.each([
  ['beginnings of files', 'begin 644 a\n'],
  ['lines of a file without its end', `begin 644 a\n${`M${'#'.repeat(60)}\n`.repeat(99)}`],
  ['files', 'begin 644 a\n`\nend\n'],
  ['blanks', ' '],
  ['words', 'a b '],
  ['delimiters', '--b--\n'],
])('reads a text of %s in linear time', (_what, piece) => {
  const took = (bytes: number): number => {
    const body = Buffer.from(piece.repeat(Math.ceil(bytes / piece.length)));
    const types = ['text/plain', 'multipart/mixed; boundary=b'];
    const start = performance.now();
    for (const type of types)
      for (const encoding of ['7bit', 'base64'])
        partsOfMail(
          readMime(
            Buffer.concat([Buffer.from(`Content-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n`), body]),
            LIMITS,
          ),
        );
    return performance.now() - start;
  };
  took(100_000);

  expect(took(4_000_000)).toBeLessThan(100 + 30 * took(500_000));
});
