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
export const hasTooManyTags = (body: string): boolean => (body.match(/</g)?.length ?? 0) > MAX_TAGS;

/** Neither tags nor entities: it is its own text. */
export const isPlainText = (body: string): boolean => !/[<&]/.test(body);

/** Text without markup, for search, summaries and `plain_text_body`. Never shown as HTML. */
export function plainText(body: string): string {
  if (isPlainText(body)) return body;
  if (hasTooManyTags(body)) return textWithoutTags(body);
  // The sanitizer decodes every entity, and escapes again what XML must.
  return decodeXML(
    sanitize(withLineBreaks(body), { allowedTags: [], allowedAttributes: {}, nonTextTags: NO_TEXT }),
  ).trim();
}

/** The beginning of a text, in one line. */
export function summaryOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  // By code point: half a surrogate pair is not text.
  return Array.from(line.slice(0, SUMMARY_LENGTH * 2))
    .slice(0, SUMMARY_LENGTH)
    .join('');
}
