import { withoutUuencoded } from './files-in-text.js';
import type { MimePart } from './mime-part.js';

/** What of a mail is read, and what is a file. */
export interface MailParts {
  /** To be read one after the other by who shows no markup. */
  readonly text: readonly MimePart[];
  /** The same for who shows it. */
  readonly html: readonly MimePart[];
  readonly files: readonly MimePart[];
}

interface Collected {
  readonly text: MimePart[] | null;
  readonly html: MimePart[] | null;
  readonly files: MimePart[];
}

/** Chooses as RFC 8621 does (4.1.4), but that pictures are files wherever they stand. */
export function partsOfMail(mail: MimePart): MailParts {
  const [text, html, files]: MimePart[][] = [[], [], []];
  collect([mail], 'mail', false, { text: text!, html: html!, files: files! });
  return { text: text!, html: html!, files: files! };
}

function collect(parts: readonly MimePart[], kind: string, isWithinChoice: boolean, found: Collected): void {
  let { text, html } = found;
  const before = { text: text?.length ?? -1, html: html?.length ?? -1 };
  for (const [at, part] of parts.entries()) {
    if (part.parts.length > 0) {
      const inner = kindOf(part);
      collect(inParts(part), inner, isWithinChoice || inner === 'alternative', { ...found, text, html });
    } else if (!isReadInline(part, at, kind)) keep(part, found.files);
    else if (isHtml(part)) {
      if (kind !== 'alternative' && isWithinChoice) text = null;
      if (kind !== 'alternative') text?.push(part);
      html?.push(part);
    } else {
      const read = withoutUuencoded(part, found.files);
      if (kind !== 'alternative' && isWithinChoice) html = null;
      if (kind !== 'alternative') html?.push(read);
      text?.push(read);
    }
  }
  if (kind === 'alternative' && text && html) lend(text, html, before);
}

const kindOf = ({ type }: MimePart): string => type.slice(type.indexOf('/') + 1);
const isHtml = ({ type }: MimePart): boolean => type === 'text/html';

/** The one of related parts that is read comes first (RFC 2387): the one that is named, or the first of them. */
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

/** Some programs put pictures before the markup and name no start. */
const canBeRead = (part: MimePart): boolean =>
  part.parts.length > 0 || (!part.isAttachment && (part.type === 'text/plain' || isHtml(part)));

function isReadInline(part: MimePart, at: number, kind: string): boolean {
  const { type, name, isAttachment } = part;
  if (isAttachment) return false;
  if (type === 'text/plain' || isHtml(part)) return at === 0 || (kind !== 'related' && name === null);
  // RFC 2046, 4.1.4: a mail of a text of a kind that nobody knows is read as text.
  return kind === 'mail' && name === null && type.startsWith('text/') && !DATA.has(type);
}

/** For programs, though they are made of letters. */
const DATA = new Set(['text/calendar', 'text/csv', 'text/vcard', 'text/x-vcard', 'text/directory', 'text/xml']);

/** Between two delimiters with nothing in between is no file. */
function keep(part: MimePart, files: MimePart[]): void {
  if (part.content.length > 0 || part.name !== null) files.push(part);
}

/** A choice that has one of the two has it for both. */
function lend(text: MimePart[], html: MimePart[], before: { readonly text: number; readonly html: number }): void {
  if (text.length === before.text) text.push(...html.slice(before.html));
  else if (html.length === before.html) html.push(...text.slice(before.text));
}
