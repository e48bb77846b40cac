import { BLANK, COLON, CR, ESC, LF, TAB } from './ascii.js';
import { decodeCharset, strictUtf8 } from './charsets/decode-charset.js';

export interface HeaderField {
  readonly name: string;
  readonly value: Buffer;
  /** No space before the colon, and no broken line above, which ends the header for some servers. */
  readonly isStrict: boolean;
}

export class Header {
  private constructor(
    private readonly fields: readonly HeaderField[],
    /** For values that are neither ASCII nor UTF-8, which the standard forbids. */
    private readonly charset?: string,
  ) {}

  static read(bytes: Buffer): { readonly header: Header; readonly bodyStart: number } {
    const lines: Buffer[][] = [];
    let at = 0;
    let aboveBroken = Infinity;
    const header = () => new Header(lines.map((one, place) => fieldOf(one, place < aboveBroken)));
    while (at < bytes.length) {
      const line = lineAt(bytes, at);
      if (line.end === at) return { header: header(), bodyStart: line.next };
      const text = bytes.subarray(at, line.end);
      if (isFolded(text)) lines.at(-1)?.push(text);
      else if (isField(text)) lines.push([text]);
      else {
        if (at > 0) aboveBroken = Math.min(aboveBroken, lines.length);
        if (isFieldAt(bytes, line.next)) lines.at(-1)?.push(SPACE, text);
        // The empty line before the body is missing.
        else if (!isPostmark(text)) break;
      }
      at = line.next;
    }
    return { header: header(), bodyStart: at };
  }

  in(charset: string | undefined): Header {
    return new Header(this.fields, charset);
  }

  /** In order. Encoded words are not decoded. */
  all(name: string): string[] {
    return this.fields.filter((field) => field.name === name).map(({ value }) => this.textOf(value));
  }

  first(name: string): string | undefined {
    const field = this.fields.find((one) => one.name === name);
    return field && this.textOf(field.value);
  }

  /** In order, as bytes. */
  fieldsOf(...names: readonly string[]): HeaderField[] {
    return this.fields.filter(({ name }) => names.includes(name));
  }

  private textOf(value: Buffer): string {
    const hasEscapes = value.includes(ESC);
    return ((hasEscapes ? null : strictUtf8(value)) ?? decodeCharset(value, this.charset)).trim();
  }
}

const SPACE = Buffer.from(' ');

function lineAt(bytes: Buffer, start: number): { readonly end: number; readonly next: number } {
  const found = bytes.indexOf(LF, start);
  const next = found === -1 ? bytes.length : found + 1;
  let end = found === -1 ? bytes.length : found;
  while (end > start && bytes[end - 1] === CR) end--;
  return { end, next };
}

const isFolded = (line: Buffer): boolean => line[0] === BLANK || line[0] === TAB;

/** Precedes each email of an mbox file. */
const isPostmark = (line: Buffer): boolean => /^>?From /.test(line.toString('latin1', 0, 6));

/** Some programs write a space before the colon. */
function isField(line: Buffer): boolean {
  const colon = line.indexOf(COLON);
  return colon > 0 && /^[\u0021-\u007e]+[ \t]*$/.test(line.toString('latin1', 0, colon));
}

const isFieldAt = (bytes: Buffer, start: number): boolean => isField(bytes.subarray(start, lineAt(bytes, start).end));

function fieldOf(lines: readonly Buffer[], isAboveBroken: boolean): HeaderField {
  const whole = lines.length === 1 ? lines[0]! : Buffer.concat(lines);
  const colon = whole.indexOf(COLON);
  const written = whole.toString('latin1', 0, colon);
  const name = written.trim();
  return { name: name.toLowerCase(), value: whole.subarray(colon + 1), isStrict: isAboveBroken && name === written };
}
