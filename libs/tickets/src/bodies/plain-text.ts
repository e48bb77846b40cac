import { decodeXML } from 'entities';
import sanitize from 'sanitize-html';
import { NO_TEXT } from './safe-html.js';
import { textWithoutTags, withLineBreaks } from './text-without-tags.js';

const SUMMARY_LENGTH = 100;

/** A reply with a long thread quoted in it has hundreds. */
const MAX_TAGS = 5000;

/**
 * The sanitizer compares each closing tag with every open one, so the sender would decide how long it takes. It is also
 * slow with signs that begin no tag.
 */
export const hasTooManyTags = (body: string): boolean => hasMore(body, '<', MAX_TAGS);

/** The sanitizer takes ten times as long for these as for other characters. A long mail with a table in it has thousands. */
const MAX_AMPERSANDS = 20_000;

/** Neither tags nor entities: it is its own text. */
export const isPlainText = (body: string): boolean => !/[<&]/.test(body);

/** Text without markup, for search, summaries and `plain_text_body`. Never shown as HTML. */
export function plainText(body: string): string {
  if (isPlainText(body)) return body;
  if (hasTooManyTags(body) || hasMore(body, '&', MAX_AMPERSANDS)) return textWithoutTags(body);
  // The sanitizer decodes every entity, and escapes again what XML must.
  return decodeXML(
    sanitize(withLineBreaks(body), { allowedTags: [], allowedAttributes: {}, nonTextTags: NO_TEXT }),
  ).trim();
}

/** Stops at the first one too many, and keeps none of them. */
function hasMore(body: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = body.indexOf(sign); at !== -1 && count <= most; at = body.indexOf(sign, at + 1)) count++;
  return count > most;
}

/** The beginning of a text, in one line. */
export function summaryOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  // By code point: half a surrogate pair is not text.
  return Array.from(line.slice(0, SUMMARY_LENGTH * 2))
    .slice(0, SUMMARY_LENGTH)
    .join('');
}
