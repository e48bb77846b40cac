import { decodeHTML, decodeXML } from 'entities';
import sanitize from 'sanitize-html';

const SUMMARY_LENGTH = 100;

/** A reply with a long thread quoted in it has hundreds. */
const MAX_TAGS = 5000;

/** The sanitizer compares each closing tag with every open one, so the sender would decide how long it takes. */
export const hasTooManyTags = (body: string): boolean => (body.match(/<[a-z/!]/gi)?.length ?? 0) > MAX_TAGS;

/** Text without markup, for search, summaries and `plain_text_body`. Never shown as HTML. */
export function plainText(body: string): string {
  if (!/[<&]/.test(body)) return body;
  const spaced = body.replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n$&');
  if (hasTooManyTags(body)) return decodeHTML(spaced.replaceAll(/<[^<>]*>/g, '')).trim();
  // The sanitizer decodes every entity, and escapes again what XML must.
  return decodeXML(sanitize(spaced, { allowedTags: [], allowedAttributes: {} })).trim();
}

export function summaryOf(body: string): string {
  const line = plainText(body).replaceAll(/\s+/g, ' ').trim();
  // By code point: half a surrogate pair is not text.
  return Array.from(line.slice(0, SUMMARY_LENGTH * 2))
    .slice(0, SUMMARY_LENGTH)
    .join('');
}
