import type { SeededChoices } from '#test/support/seeded-choices.js';

const MIB = 1024 * 1024;
const BOUNDARY = 'part';

/** Contents of a part, with a type and an encoding that make it slow to read, or large once it is read. */
const FILLED_PARTS: readonly (readonly [type: string, encoding: string, filler: string])[] = [
  ['text/html', '8bit', '&'],
  ['text/html', '8bit', '<'],
  ['text/html', '8bit', '&#'],
  ['text/html', '8bit', '<!--'],
  ['text/html', '8bit', '<a '],
  ['text/html', '8bit', '</b>'],
  ['text/html', '8bit', '&\r\n'],
  ['text/html', 'quoted-printable', '='],
  ['text/plain', 'quoted-printable', '=26'],
  ['text/plain', 'quoted-printable', ' '],
  ['text/html', 'base64', 'JiYm'],
  ['application/pdf', 'base64', 'JiYm'],
  ['text/plain; charset=utf-7', '8bit', '+AGE-'],
  ['text/html; charset=utf-16', '8bit', '&'],
  ['text/plain; charset=iso-2022-jp', '8bit', '\u001b$B&!\u001b(B'],
  ['text/plain; charset=iso-2022-jp', '8bit', '\u001bN'],
  ['text/plain; charset=iso-2022-kr', '8bit', '\u000ea\u000fb'],
  ['text/plain; charset=hz-gb-2312', '8bit', '~{~}'],
  ['text/plain; format=flowed; delsp=yes', '8bit', 'a \r\n'],
  ['text/plain', '8bit', '\n'],
  ['text/plain', '8bit', '\n--par'],
  ['message/rfc822', '8bit', 'X: a\r\n'],
];

const HEADERS: readonly ((bytes: number) => string)[] = [
  (bytes) => `X-Long: ${'a'.repeat(bytes)}\r\n`,
  (bytes) => 'X: a\r\n'.repeat(bytes / 6),
  (bytes) => `X-Folded: a\r\n${' a\r\n'.repeat(bytes / 4)}`,
  (bytes) => `Cc: ${'a@b.test, '.repeat(Math.min(bytes, 200_000) / 10)}\r\n`,
  (bytes) => `Cc: ${'("<'.repeat(Math.min(bytes, 200_000) / 3)}\r\n`,
  (bytes) => `References: ${'<a@b.test> '.repeat(Math.min(bytes, 200_000) / 11)}\r\n`,
];

const STRUCTURES: readonly ((bytes: number) => string)[] = [
  (bytes) => `--${BOUNDARY}\r\n\r\nx\r\n`.repeat(bytes / 13),
  (bytes) => `--${BOUNDARY}\r\n\r\n${'&'.repeat(bytes / 990)}\r\n`.repeat(990),
  (bytes) => `--${BOUNDARY}\r\n${nested(48)}${'x\r\n'.repeat(bytes / 3)}`,
  (bytes) => `--${BOUNDARY}\r\n${nested(bytes / 60)}`,
];

const nested = (depth: number): string =>
  Array.from({ length: depth }, (_, at) => `Content-Type: multipart/mixed; boundary=p${at}\r\n\r\n--p${at}\r\n`).join(
    '',
  );

/** Emails of a few bytes to 45 MiB, of every kind in turn. The first has 45 MiB of `&`. */
export function hostileMail(index: number, choices: SeededChoices): Buffer {
  const kinds = FILLED_PARTS.length + HEADERS.length + STRUCTURES.length;
  const kind = index % kinds;
  const bytes = index === 0 ? 45 * MIB : sizeOf(choices);
  const filled = FILLED_PARTS[kind];
  if (filled) return mail(index, '', filledPart(filled, bytes));
  const header = HEADERS[kind - FILLED_PARTS.length];
  if (header) return mail(index, header(bytes), filledPart(['text/plain', '8bit', 'x'], 1));
  return mail(index, '', Buffer.from(STRUCTURES[kind - FILLED_PARTS.length - HEADERS.length]!(bytes)));
}

/** One in fifty has the maximum size, and the median is 150 KiB. */
function sizeOf(choices: SeededChoices): number {
  if (choices.isLikely(0.02)) return 45 * MIB;
  return choices.isLikely(0.1) ? choices.integer(MIB, 8 * MIB) : choices.integer(1000, 300_000);
}

function mail(index: number, headers: string, body: Buffer): Buffer {
  const lines = [
    `From: sender-${index}@hostile.test`,
    'To: support@acme.test',
    `Subject: Hostile ${index}`,
    `Message-ID: <${index}@hostile.test>`,
    `Content-Type: multipart/mixed; boundary=${BOUNDARY}`,
  ];
  return Buffer.concat([
    Buffer.from(`${lines.join('\r\n')}\r\n${headers}\r\n`),
    body,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

function filledPart([type, encoding, filler]: readonly [string, string, string], bytes: number): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Type: text/plain\r\n\r\nHello\r\n--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, filler)]);
}
