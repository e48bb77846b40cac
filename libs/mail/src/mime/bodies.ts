import { decodeCharset } from './charsets/decode-charset.js';
import { Header } from './header.js';
import type { MimePart } from './mime-part.js';
import { splitUuencoded } from './uuencode.js';

export interface MailParts {
  readonly text: readonly MimePart[];
  readonly html: readonly MimePart[];
  readonly files: readonly MimePart[];
}

interface Collected {
  readonly text: MimePart[] | null;
  readonly html: MimePart[] | null;
  readonly files: MimePart[];
}

/** RFC 8621 (4.1.4), except that pictures are always files. */
export function partsOfMail(mail: MimePart): MailParts {
  const found = { text: [], html: [], files: [] };
  collect([mail], 'mail', false, found);
  return found;
}

function collect(parts: readonly MimePart[], kind: string, isWithinChoice: boolean, found: Collected): void {
  let { text, html } = found;
  const before = { text: text?.length ?? -1, html: html?.length ?? -1 };
  for (const [at, part] of parts.entries()) {
    if (part.parts.length > 0) {
      const inner = kindOf(part);
      collect(inParts(part), inner, isWithinChoice || inner === 'alternative', { ...found, text, html });
    } else if (!isReadInline(part, at, kind)) keepFile(part, found.files);
    else if (isHtml(part)) {
      if (kind !== 'alternative' && isWithinChoice) text = null;
      if (kind !== 'alternative') text?.push(part);
      html?.push(part);
    } else {
      const read = takeUuencodedFiles(part, found.files);
      if (kind !== 'alternative' && isWithinChoice) html = null;
      if (kind !== 'alternative') html?.push(read);
      text?.push(read);
    }
  }
  if (kind !== 'alternative' || !text || !html) return;
  // An alternative with only one of the two is shown for both.
  if (text.length === before.text) text.push(...html.slice(before.html));
  else if (html.length === before.html) html.push(...text.slice(before.text));
}

const kindOf = ({ type }: MimePart): string => type.slice(type.indexOf('/') + 1);
const isHtml = ({ type }: MimePart): boolean => type === 'text/html';

/** The root comes first (RFC 2387). */
function inParts(part: MimePart): readonly MimePart[] {
  if (kindOf(part) !== 'related') return part.parts;
  const start = part.parameters.get('start')?.replaceAll(/[<>\s]/g, '');
  const named = start ? part.parts.find(({ contentId }) => contentId === start) : undefined;
  const [first = part] = part.parts;
  const ofType = part.parts.filter(({ type }) => type === part.parameters.get('type')?.toLowerCase());
  const markup = part.parts.filter((one) => isHtml(one));
  const candidates = [named ?? first, first, ...ofType, ...markup, ...part.parts];
  const root = candidates.find((one) => canBeRead(one)) ?? first;
  return [root, ...part.parts.filter((one) => one !== root)];
}

/** Some programs put pictures before the markup and name no root. */
const canBeRead = (part: MimePart): boolean =>
  part.parts.length > 0 || (!part.isAttachment && (part.type === 'text/plain' || isHtml(part)));

function isReadInline(part: MimePart, at: number, kind: string): boolean {
  const { type, name, isAttachment } = part;
  if (isAttachment) return false;
  if (type === 'text/plain' || isHtml(part)) return at === 0 || (kind !== 'related' && name === null);
  // RFC 2046, 4.1.4: an unknown subtype of text is text.
  return kind === 'mail' && name === null && type.startsWith('text/') && !DATA.has(type);
}

const DATA = new Set(['text/calendar', 'text/csv', 'text/vcard', 'text/x-vcard', 'text/directory', 'text/xml']);

/** Drops the empty part between adjacent delimiters. */
function keepFile(part: MimePart, files: MimePart[]): void {
  if (part.content.length > 0 || part.name !== null) files.push(part);
}

/** More uuencoded files stay in the text. A person attaches fewer. */
const MAX_FILES = 100;

function takeUuencodedFiles(part: MimePart, others: MimePart[]): MimePart {
  const { text, files } = splitUuencoded(part.content, Math.max(0, MAX_FILES - others.length));
  if (files.length === 0) return part;
  for (const { name, content } of files)
    others.push({ ...FILE, name: decodeCharset(name, part.parameters.get('charset')), content });
  return { ...part, content: text };
}

const FILE: Omit<MimePart, 'name' | 'content'> = {
  header: Header.read(Buffer.alloc(0)).header,
  type: 'application/octet-stream',
  parameters: new Map(),
  isAttachment: true,
  contentId: null,
  parts: [],
  isBinarySafe: true,
};

/** Bounds the lines in memory. */
const MAX_FLOWED_CHARACTERS = 4_000_000;

export function textOfPart({ type, parameters, content }: Pick<MimePart, 'type' | 'parameters' | 'content'>): string {
  const charset = parameters.get('charset') ?? (type === 'text/html' ? charsetInHtml(content) : undefined);
  const text = decodeCharset(content, charset).replaceAll(/\r\n?/g, '\n');
  const isFlowed = type === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed';
  if (!isFlowed || text.length > MAX_FLOWED_CHARACTERS) return text;
  return unfoldFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes');
}

const MAX_SEARCHED_BYTES = 2048;

/** Some programs send a web page unchanged. */
function charsetInHtml(content: Buffer): string | undefined {
  const [, ...tags] = content.toString('latin1', 0, MAX_SEARCHED_BYTES).split(/<meta\s/i);
  const found = tags.map((tag) => /charset=["']?([\w:.-]{1,60})/i.exec(tag.split('>', 1)[0]!)?.[1]);
  return found.find((charset) => charset !== undefined);
}

const SIGNATURE = '-- ';

/**
 * RFC 3676. Libmime joins a signature with a paragraph that ends in a blank, and leaves quotation marks without a
 * blank.
 */
function unfoldFlowed(text: string, dropsSpace: boolean): string {
  const paragraphs: { readonly depth: number; readonly pieces: string[]; isOpen: boolean }[] = [];
  for (const line of text.split('\n')) {
    const depth = /^>*/.exec(line)![0].length;
    // A leading space protects what follows.
    const content = line.slice(depth).replace(/^ /, '');
    const isOpen = content.endsWith(' ') && content !== SIGNATURE;
    const piece = isOpen && dropsSpace ? content.slice(0, -1) : content;
    const last = paragraphs.at(-1);
    if (last?.isOpen && last.depth === depth && content !== SIGNATURE) {
      last.pieces.push(piece);
      last.isOpen = isOpen;
    } else paragraphs.push({ depth, pieces: [piece], isOpen });
  }
  return paragraphs.map(({ depth, pieces }) => quoteMarks(depth) + pieces.join('')).join('\n');
}

const quoteMarks = (depth: number): string => (depth === 0 ? '' : `${'>'.repeat(depth)} `);
