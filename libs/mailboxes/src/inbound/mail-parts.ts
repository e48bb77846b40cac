import { withoutTokens } from '#libs/entities';
import { Header, type MailParts, type MimePart, decodeWords, textOfPart, beginningOf } from '#libs/mail';
import { plainText } from '#libs/tickets';

/** Twice what a message holds. Bounds the work that a sender can cause. */
const MAX_READ_CHARACTERS = 1_000_000;
/** CRLF counts as one character, so both line endings cut at the same place. */
const MAX_CHARACTER_BYTES = 4;

/** `text` and `html` are empty if the sender wrote none. `longParts` are cut. */
export function textsOf({ text, html }: MailParts) {
  const plain = text.every((part) => isHtml(part)) ? NO_TEXTS : joined(text, asPlainText, '\n');
  const rich = html.some((part) => isHtml(part)) ? joined(html, asMarkup, '\n<br>\n') : NO_TEXTS;
  return {
    text: plain.joined,
    html: rich.joined,
    longParts: [...new Set([...plain.longParts, ...rich.longParts])],
  };
}

const NO_TEXTS = { joined: '', longParts: [] as readonly MimePart[] };

function joined(parts: readonly MimePart[], shown: (part: MimePart, text: string) => string, between: string) {
  const texts: string[] = [];
  const longParts: MimePart[] = [];
  let room = MAX_READ_CHARACTERS;
  for (const part of parts) {
    const { text, isWhole } = beginningOfPart(part, room);
    room -= text.length;
    texts.push(shown(part, text));
    if (!isWhole) longParts.push(part);
  }
  const kept = texts.filter((text) => text.trim() !== '').join(between);
  return { joined: kept.replaceAll('\0', '').trimEnd(), longParts };
}

function beginningOfPart(part: MimePart, characters: number): { readonly text: string; readonly isWhole: boolean } {
  const content = beginningOfBytes(part.content, characters * MAX_CHARACTER_BYTES);
  const text = textOfPart({ ...part, content });
  const isWhole = content.length === part.content.length && text.length <= characters;
  return { text: isWhole ? text : beginningOf(text, characters), isWhole };
}

/** Half a character would make the text look like another charset. */
function beginningOfBytes(bytes: Buffer, length: number): Buffer {
  let end = Math.min(bytes.length, length);
  for (let back = 0; back < MAX_CHARACTER_BYTES && end > 0 && end < bytes.length && isContinuation(bytes[end]!); back++)
    end--;
  return bytes.subarray(0, end);
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

const isHtml = ({ type }: MimePart): boolean => type === 'text/html';
const asPlainText = (part: MimePart, text: string): string => (isHtml(part) ? plainText(text) : text);
const asMarkup = (part: MimePart, text: string): string => (isHtml(part) ? text : escaped(text));

function escaped(text: string): string {
  const safe = text.trimEnd().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return safe === '' ? '' : `<div>${safe.replaceAll('\n', '<br>\n')}</div>`;
}

export interface MailFile {
  readonly name: string | null;
  readonly type: string;
  readonly content: Uint8Array;
  /** The markup names it by this id. */
  readonly contentId?: string | null;
  /** Servers on the way may have changed its line endings. */
  readonly hasLines?: boolean;
}

const MAX_NAME_CHARACTERS = 100;

export const filesOf = (parts: readonly MimePart[]): MailFile[] =>
  parts.map((part) => ({
    name: part.name ?? nameOfMail(part),
    type: part.type,
    content: new Uint8Array(part.content),
    contentId: part.contentId,
    hasLines: !part.isBinarySafe || /^(?:text|message)\//.test(part.type),
  }));

const isText = ({ type }: MailFile): boolean => /^(?:text|message)\//i.test(type);

/** An email that is attached has our `Reply-To`. Files that are neither text nor mail are left as they are. */
export function withoutTokensIn(file: MailFile): MailFile {
  const name = file.name && withoutTokens(file.name);
  if (!isText(file)) return { ...file, name };
  // Latin 1 keeps every byte.
  const text = Buffer.from(file.content).toString('latin1');
  const shown = withoutTokens(text);
  return { ...file, name, content: shown === text ? file.content : new Uint8Array(Buffer.from(shown, 'latin1')) };
}

/** Texts that are too long for a message. */
export const longTextsOf = (parts: readonly MimePart[]): MailFile[] =>
  parts.map(({ type, content }) =>
    type === 'text/html'
      ? { name: 'message.html', type, content: new Uint8Array(content), hasLines: true }
      : { name: 'message.txt', type: 'text/plain', content: new Uint8Array(content), hasLines: true },
  );

/** An attached mail is named after its subject. */
function nameOfMail({ type, content }: MimePart): string | null {
  if (type !== 'message/rfc822') return null;
  const subject = decodeWords(Header.read(content).header.first('subject') ?? '').trim();
  return subject === '' ? null : `${Array.from(subject).slice(0, MAX_NAME_CHARACTERS).join('')}.eml`;
}
