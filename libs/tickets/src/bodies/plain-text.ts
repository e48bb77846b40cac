import { decodeXML } from 'entities';
import sanitize from 'sanitize-html';
import { NO_TEXT } from './safe-html.js';
import { textWithoutTags, withLineBreaks } from './text-without-tags.js';

const SUMMARY_LENGTH = 100;

/** A reply with a long quoted thread has hundreds. */
const MAX_TAGS = 5000;

/** The sanitizer compares each closing tag with every open one, so the time would grow with the square of the tags. */
export const hasTooManyTags = (body: string): boolean => hasMore(body, '<', MAX_TAGS);

/** The sanitizer takes ten times as long for these. A long mail with a table has thousands. */
const MAX_AMPERSANDS = 20_000;

export const isPlainText = (body: string): boolean => !/[<&]/.test(body);

/** Text without markup, for search, summaries and `plain_text_body`. Not safe as HTML. */
export function plainText(body: string): string {
  if (isPlainText(body)) return body;
  if (hasTooManyTags(body) || hasMore(body, '&', MAX_AMPERSANDS)) return textWithoutTags(body);
  // The sanitizer decodes every entity, and escapes again what XML requires.
  return decodeXML(
    sanitize(withLineBreaks(body), { allowedTags: [], allowedAttributes: {}, nonTextTags: NO_TEXT }),
  ).trim();
}

function hasMore(body: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = body.indexOf(sign); at !== -1 && count <= most; at = body.indexOf(sign, at + 1)) count++;
  return count > most;
}

export function summaryOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  // By code point, so that no surrogate pair is split.
  return Array.from(line.slice(0, SUMMARY_LENGTH * 2))
    .slice(0, SUMMARY_LENGTH)
    .join('');
}
