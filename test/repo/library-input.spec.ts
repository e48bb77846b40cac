import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { normalized } from '#libs/tickets';
import { encodeExtended } from 'content-disposition';
import { isEmail } from 'class-validator';
import { decodeHTML, decodeXML } from 'entities';
import addressparser from 'nodemailer/lib/addressparser';
import { describe, expect, it } from 'vitest';
import { parseParameters } from '../../apps/api/src/layers/edge/request-bodies.js';

const MIB = 1024 * 1024;

interface Reader {
  readonly read: (text: string) => unknown;
  /** The longest input that a client can send. */
  readonly characters: number;
  /** Each is repeated up to that length. */
  readonly pieces: readonly string[];
}

/** Libraries that parse input of clients. Markup has its own tests. */
const READERS: Readonly<Record<string, Reader>> = {
  'qs, on a form': {
    read: parseParameters,
    characters: MIB,
    pieces: 'a& [ [b] a[]=1& a=%41 %zz = a[a]=& + a+ a[99]=1& , %5Bb%5D %26%2365%3B'.split(' '),
  },
  'entities, on HTML': {
    read: decodeHTML,
    characters: 500_000,
    pieces: ['&', '&amp;', '&notit;', '&#', '&#x', '&#99999;', '&CounterClockwiseContourIntegral;', '&#x0'],
  },
  'entities, on XML': { read: decodeXML, characters: 500_000, pieces: ['&', '&amp;', '&#', '&#x', '&#99999;', '&lt'] },
  'class-validator, on an email address': {
    read: (text) => isEmail(`${text}@${text}.test`, { blacklisted_chars: '\\x00-\\x1f\\x7f' }),
    characters: MIB,
    pieces: ['a', '@', '.', '"', 'a.', '\\"', '<', 'ü', '-', 'xn--', '1.', ':', '['],
  },
  'nodemailer, on an address': {
    read: addressparser,
    characters: 254,
    pieces: ['a', '@', 'a@', '<', '(', '"', '\\', ',', ':', ';', 'a:(', '<a@b'],
  },
  'ICU, on a letter with marks': {
    read: (text) => normalized(`a${text}${text.replaceAll('\u0315', '\u0316')}`, 'NFKD'),
    characters: 100_000,
    pieces: ['\u0315', '\u0315\u0316', '\u0315\uff9e', '\u0344'],
  },
  'content-disposition, on the name of a file': {
    read: encodeExtended,
    characters: 255,
    pieces: ['a', 'ü', '"', '%', '😀'],
  },
};

const cases = Object.entries(READERS).flatMap(([name, { read, characters, pieces }]) =>
  pieces.map((piece) => ({ name, piece, read, text: piece.repeat(characters / piece.length) })),
);

describe('a library with the longest possible input', () => {
  it.each(cases)('takes little time with $name and $piece repeated', ({ read, text }) => {
    const before = process.cpuUsage();
    read(text);
    const { user } = process.cpuUsage(before);

    expect(user / 1000, 'milliseconds').toBeLessThan(500);
  });
});

it('normalizes text only where the number of marks is limited', () => {
  const sources = ['apps/api', 'apps/worker', 'libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const normalizing = sources.filter(
    (file) => /(?<!\.spec)\.tsx?$/.test(file) && readFileSync(file, 'utf8').includes('.normalize('),
  );

  // Filters compare tags and names, which are short.
  expect(normalizing).toEqual(['libs/filters/src/terms.ts', 'libs/tickets/src/normalized.ts']);
});
