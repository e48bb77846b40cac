import { CR, LF } from './ascii.js';
import { decodeBase64Text, decodeTransfer, isBinarySafe } from './transfer-encodings.js';
import { beforeFinalDelimiter, guessBoundary, splitAtBoundary } from './boundaries.js';
import { decodeWords } from './encoded-words.js';
import { Header } from './header.js';
import { type StructuredValue, parseStructuredValue, textParameter } from './structured-value.js';

/** No real mail exceeds them. RFC 5321 and RFC 5322 set none. */
export interface MimeLimits {
  readonly depth: number;
  readonly parts: number;
  readonly headerBytes: number;
}

export interface MimePart {
  readonly header: Header;
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly isAttachment: boolean;
  readonly name: string | null;
  readonly contentId: string | null;
  readonly parts: readonly MimePart[];
  /** Empty for a multipart. */
  readonly content: Buffer;
  /** Servers could not change its line endings. */
  readonly isBinarySafe: boolean;
}

export class MimeLimitExceeded extends Error {}

/** Does not parse attached emails. Throws MimeLimitExceeded. */
export function readMime(raw: Uint8Array, limits: MimeLimits): MimePart {
  const bytes = withLines(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  return new Reading(limits).part(bytes, 'text/plain', 0);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Old programs end lines with CR, or put empty lines before the mail. */
function withLines(bytes: Buffer): Buffer {
  const plain = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  const lines = plain.includes(LF) ? plain : Buffer.from(plain).map((byte) => (byte === CR ? LF : byte));
  let start = 0;
  while (lines[start] === LF || lines[start] === CR) start++;
  return Buffer.from(lines.buffer, lines.byteOffset + start, lines.length - start);
}

class Reading {
  private parts = 0;
  private headerBytes = 0;

  constructor(private readonly limits: MimeLimits) {}

  part(bytes: Buffer, defaultType: string, depth: number, charset?: string): MimePart {
    const { header: plain, bodyStart } = Header.read(bytes);
    this.count(bodyStart, depth);
    const header = plain.in(contentTypeOf(plain, defaultType).parameters.get('charset') ?? charset);
    const type = contentTypeOf(header, defaultType);
    const described = partOf(header, type, parseStructuredValue(header.first('content-disposition') ?? ''));
    const encoding = encodingOf(header);
    const body = bytes.subarray(bodyStart);
    const whole = { ...described, isBinarySafe: isBinarySafe(encoding) };
    const isMultipart = type.value.startsWith('multipart/');
    const pieces = isMultipart ? partsIn(body, type, encoding, this.limits.parts) : null;
    if (pieces) return { ...whole, ...this.inner(pieces, type, depth + 1), content: EMPTY };
    const shown = { ...whole, type: isMultipart ? 'text/plain' : type.value };
    return { ...shown, parts: [], content: contentOf(body, shown, encoding) };
  }

  /** Unencoded file names have the charset of the text before them. */
  private inner(pieces: readonly Buffer[], type: StructuredValue, depth: number): Pick<MimePart, 'type' | 'parts'> {
    const inside = typeWithin(pieces, type);
    const defaultType = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
    const parts: MimePart[] = [];
    let charset: string | undefined;
    for (const piece of inside === null ? pieces : pieces.slice(1)) {
      const part = this.part(piece, defaultType, depth, charset);
      charset ??= charsetIn(part);
      parts.push(part);
    }
    return { type: inside ?? type.value, parts };
  }

  private count(headerBytes: number, depth: number): void {
    this.parts++;
    this.headerBytes += headerBytes;
    const { limits } = this;
    if (depth > limits.depth || this.parts > limits.parts || this.headerBytes > limits.headerBytes)
      throw new MimeLimitExceeded('the mail has too many parts, too deep in one another, or too long a header');
  }
}

const EMPTY = Buffer.alloc(0);

/** A text may be wrongly labelled base64. A file is always decoded. */
function contentOf(
  body: Buffer,
  { type, name, isAttachment, parameters }: Omit<MimePart, 'parts' | 'content'>,
  encoding: string,
): Buffer {
  const isRead = type.startsWith('text/') && name === null && !isAttachment;
  return isRead && encoding === 'base64'
    ? decodeBase64Text(body, parameters.get('charset'))
    : decodeTransfer(body, encoding);
}

/** Some programs reuse the outer boundary within. All parts belong to the inner multipart then. */
function typeWithin([first]: readonly Buffer[], { parameters }: StructuredValue): string | null {
  const { header, bodyStart } = Header.read(first ?? EMPTY);
  const inner = contentTypeOf(header, '');
  const isSame =
    inner.value.startsWith('multipart/') && inner.parameters.get('boundary') === parameters.get('boundary');
  return isSame && first!.subarray(bodyStart).toString().trim() === '' ? inner.value : null;
}

/** The first part that names one counts. */
export const charsetIn = ({ parameters, parts }: MimePart): string | undefined =>
  parameters.get('charset') ?? parts.map((part) => charsetIn(part)).find((charset) => charset !== undefined);

const encodingOf = (header: Header): string =>
  /[\w-]+/.exec(parseStructuredValue(header.first('content-transfer-encoding') ?? '').value)?.[0] ?? '';

/** An invalid type defaults to text (RFC 2045, 5.2), or to octet-stream when it names a file. */
function contentTypeOf(header: Header, defaultType: string): StructuredValue {
  const type = parseStructuredValue(header.first('content-type') ?? '');
  const value = type.value.replaceAll(/\s+/g, '');
  if (/^[^/]+\/[^/]+$/.test(value)) return { ...type, value };
  return { ...type, value: value !== '' && type.parameters.has('name') ? 'application/octet-stream' : defaultType };
}

function partOf(header: Header, type: StructuredValue, disposition: StructuredValue) {
  const name = textParameter(disposition, 'filename') ?? textParameter(type, 'name');
  return {
    header,
    type: type.value,
    parameters: type.parameters,
    isAttachment: disposition.value !== '' && disposition.value !== 'inline',
    name: name ?? (type.value === 'message/rfc822' ? null : textParameter(disposition, 'name')),
    contentId: contentIdOf(header),
  };
}

const contentIdOf = (header: Header): string | null =>
  decodeWords(header.first('content-id') ?? '').replaceAll(/[<>\s]/g, '') || null;

/** Some programs encode a whole multipart, which the standard forbids. */
function partsIn(body: Buffer, { parameters }: StructuredValue, encoding: string, most: number): Buffer[] | null {
  const boundary = parameters.get('boundary')?.trimEnd();
  const parts = partsAt(body, boundary, most);
  if (parts || !['base64', 'quoted-printable'].includes(encoding)) return parts;
  return partsAt(decodeTransfer(body, encoding), boundary, most);
}

function partsAt(body: Buffer, boundary: string | undefined, most: number): Buffer[] | null {
  const parts = boundary ? splitAtBoundary(body, boundary, most) : null;
  if (parts) return parts;
  const ended = boundary ? beforeFinalDelimiter(body, boundary) : body;
  const guessed = guessBoundary(ended);
  if (guessed !== null) return splitAtBoundary(ended, guessed, most);
  return ended.length < body.length ? partWithoutDelimiter(ended) : null;
}

function partWithoutDelimiter(body: Buffer): Buffer[] {
  const start = body.findIndex((byte) => byte !== LF && byte !== CR);
  if (start === -1) return [];
  const hasHeader = /^content-/i.test(body.toString('latin1', start, start + 'content-'.length));
  return [hasHeader ? body.subarray(start) : Buffer.concat([EMPTY_LINE, body])];
}

const EMPTY_LINE = Buffer.from('\n');
