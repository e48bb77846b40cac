import { gzipSync } from 'node:zlib';

/** The mail below its plain header fields. */
export interface Bomb {
  readonly name: string;
  readonly headers: readonly string[];
  readonly body: string;
}

type Maker = (text: string) => Omit<Bomb, 'name'>;

const MANY = 3_000;
const DEEP = 300;
const HEADER_LINES = 4_000;
const LARGE_BYTES = 30 * 1024 * 1024;
const ZEROS_BYTES = 50 * 1024 * 1024;
const LINE = 76;

const typed = (type: string): string[] => ['MIME-Version: 1.0', `Content-Type: ${type}`];
const plain = (text: string): string => `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`;
const inLines = (text: string): string => text.replaceAll(new RegExp(`.{${LINE}}`, 'g'), '$&\r\n');

function mixed(parts: readonly string[]): Omit<Bomb, 'name'> {
  const body = parts.map((part) => `--edge\r\n${part}\r\n`).join('');
  return { headers: typed('multipart/mixed; boundary=edge'), body: `${body}--edge--\r\n` };
}

const fileOf = (name: string, content: string): string =>
  [
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    inLines(content),
  ].join('\r\n');

/** Parts nested in each other, with the text in the outermost. */
function nested(text: string): Omit<Bomb, 'name'> {
  const opened = Array.from({ length: DEEP }, (_, level) => {
    const inner = `Content-Type: multipart/mixed; boundary=e${level + 1}\r\n\r\n`;
    return `--e${level}\r\n${plain(text)}\r\n--e${level}\r\n${inner}`;
  });
  return { headers: typed('multipart/mixed; boundary=e0'), body: `${opened.join('')}--e${DEEP}\r\n${plain('deep')}` };
}

/** Base64 of base64 of base64 of zipped zeros. */
function packed(): string {
  let content = gzipSync(Buffer.alloc(ZEROS_BYTES), { level: 9 }).toString('base64');
  for (let again = 0; again < 2; again++) content = Buffer.from(content).toString('base64');
  return content;
}

const MAKERS: Readonly<Record<string, Maker>> = {
  'many parts': (text) => mixed([plain(text), ...Array.from({ length: MANY }, (_, at) => plain(`part ${at}`))]),
  'many levels': nested,
  'long header': (text) => ({
    headers: [
      ...Array.from({ length: HEADER_LINES }, (_, at) => `X-Line-${at}: ${'x'.repeat(60)}`),
      ...typed('text/plain; charset=utf-8'),
    ],
    body: text,
  }),
  'packed zeros': (text) => mixed([plain(text), fileOf('zeros.gz', packed())]),
  'large file': (text) =>
    mixed([plain(text), fileOf('film.bin', Buffer.alloc(LARGE_BYTES, 'film').toString('base64'))]),
};
const NAMES = Object.keys(MAKERS);

/** An email that costs its reader more than its sender. It contains a text like any other mail. */
export function bombOf(turn: number, text: string): Bomb {
  const name = NAMES[turn % NAMES.length]!;
  return { name, ...MAKERS[name]!(text) };
}
