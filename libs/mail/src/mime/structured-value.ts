import { decodeCharset } from './charsets/decode-charset.js';
import { decodeWords } from './encoded-words.js';

/** A value with parameters: `text/plain; charset=utf-8`. */
export interface StructuredValue {
  /** In small letters. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export function parseStructuredValue(text: string): StructuredValue {
  const [first = '', ...rest] = splitOutsideQuotes(text);
  const parameters = new Map<string, string>();
  for (const piece of rest) {
    const equals = piece.indexOf('=');
    const name = piece.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    // The first of two counts: who reads the mail before us must not see another boundary.
    if (name !== '' && !parameters.has(name)) parameters.set(name, unquoted(piece.slice(equals + 1).trim()));
  }
  return { value: unquoted(first.trim()).toLowerCase(), parameters: withContinuations(parameters) };
}

/** At semicolons, without comments. A bracket within a value belongs to it: `filename=Invoice(1).pdf`. */
function splitOutsideQuotes(text: string): string[] {
  const pieces: string[] = [];
  const piece: string[] = [];
  const lastBracket = text.lastIndexOf(')');
  let [isQuoted, depth, last] = [false, 0, ' '];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    const isEscaped = sign === '\\' && (isQuoted || depth > 0);
    const said = isEscaped ? text.slice(at, ++at + 1) : sign;
    if (depth > 0) depth += DEPTHS[said] ?? 0;
    else if (!isQuoted && sign === ';') pieces.push(piece.splice(0).join(''));
    else if (!isQuoted && sign === '(' && /[\s;]/.test(last) && at < lastBracket) depth = 1;
    else piece.push(said);
    if (depth === 0 && said === '"') isQuoted = !isQuoted;
    last = sign;
  }
  return [...pieces, piece.join('')];
}

const DEPTHS: Readonly<Record<string, number>> = { '(': 1, ')': -1 };

/** Windows programs write `C:\\a.txt` in quotes: only a quote and a backslash are escaped. */
function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)/s.exec(value);
  return quoted ? quoted[1]!.replaceAll(/\\(["\\])/g, '$1') : value;
}

/** RFC 2231: a long value is in pieces, and those whose name ends with an asterisk are encoded. */
function withContinuations(parameters: Map<string, string>): Map<string, string> {
  const long = new Map<string, Section[]>();
  const plain = new Map<string, string>();
  for (const [key, value] of parameters) {
    const [, name = '', number, star] = /^(.*?)\*(?:(\d{1,4})(\*)?)?$/.exec(key) ?? [];
    if (name === '') plain.set(key, value);
    else
      long.set(name, [
        ...(long.get(name) ?? []),
        { number: Number(number ?? 0), value, isEncoded: number === undefined || star !== undefined },
      ]);
  }
  for (const [name, sections] of long) plain.set(name, textOf(sections.toSorted((a, b) => a.number - b.number)));
  return plain;
}

interface Section {
  readonly number: number;
  readonly value: string;
  readonly isEncoded: boolean;
}

function textOf(sections: readonly Section[]): string {
  const { charset, rest } = charsetOf(sections[0]!);
  // A letter may be cut in two between two encoded sections.
  const bytes = sections.map(({ value, isEncoded }, at) => bytesOf(at === 0 ? rest : value, isEncoded));
  if (sections.every(({ isEncoded }) => isEncoded)) return decodeCharset(Buffer.concat(bytes), charset);
  const isText = sections.every(({ isEncoded }) => !isEncoded);
  return isText ? bytes.join('') : decodeMixed(sections, bytes, charset);
}

function decodeMixed(sections: readonly Section[], bytes: readonly Buffer[], charset: string): string {
  const pieces: string[] = [];
  let open: Buffer[] = [];
  for (const [at, { isEncoded }] of sections.entries()) {
    if (isEncoded) open.push(bytes[at]!);
    else {
      pieces.push(decodeCharset(Buffer.concat(open), charset), bytes[at]!.toString());
      open = [];
    }
  }
  return [...pieces, decodeCharset(Buffer.concat(open), charset)].join('');
}

function charsetOf({ value, isEncoded }: Section): { readonly charset: string; readonly rest: string } {
  const [, charset, rest] = (isEncoded && /^([^']*)'[^']*'(.*)$/s.exec(value)) || [];
  return rest === undefined ? { charset: 'utf-8', rest: value } : { charset: charset || 'utf-8', rest };
}

function bytesOf(value: string, isEncoded: boolean): Buffer {
  if (!isEncoded) return Buffer.from(value);
  const pieces = value.split(/((?:%[0-9a-f]{2})+)/i);
  return Buffer.concat(
    pieces.map((piece, at) => (at % 2 === 1 ? Buffer.from(piece.replaceAll('%', ''), 'hex') : Buffer.from(piece))),
  );
}

/** A value for people: a file name. Many programs write encoded words there, though no standard knows them. */
export function textParameter({ parameters }: StructuredValue, name: string): string | null {
  const value = parameters.get(name);
  return value === undefined || value.trim() === '' ? null : decodeWords(value).trim();
}
