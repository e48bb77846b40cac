import { decodeCharset } from './charsets/decode-charset.js';
import type { MimePart } from './mime-part.js';

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
