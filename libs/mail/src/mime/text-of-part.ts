import { decodeCharset } from './charsets/decode-charset.js';
import { unfoldFlowed } from './flowed-text.js';
import type { MimePart } from './mime-part.js';

/** The text of a part, with the ends of lines that programs use. */
export function textOfPart({ type, parameters, content }: Pick<MimePart, 'type' | 'parameters' | 'content'>): string {
  const charset = parameters.get('charset') ?? (type === 'text/html' ? charsetInHtml(content) : undefined);
  const text = decodeCharset(content, charset).replaceAll(/\r\n?/g, '\n');
  const isFlowed =
    type === 'text/plain' && parameters.get('format')?.toLowerCase() === 'flowed' && text.length <= MAX_FLOWED;
  return isFlowed ? unfoldFlowed(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text;
}

/** More than a person writes, and than is held in memory line by line. */
const MAX_FLOWED = 4_000_000;
const WHERE_HTML_TELLS = 2048;

/** Programs that send a page as it is leave its charset where browsers look for it. */
function charsetInHtml(content: Buffer): string | undefined {
  const [, ...tags] = content.toString('latin1', 0, WHERE_HTML_TELLS).split(/<meta\s/i);
  const found = tags.map((tag) => /charset=["']?([\w:.-]{1,60})/i.exec(tag.split('>', 1)[0]!)?.[1]);
  return found.find((charset) => charset !== undefined);
}
