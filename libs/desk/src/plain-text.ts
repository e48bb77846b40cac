import { decodeXML } from 'entities';
import sanitize from 'sanitize-html';

const SUMMARY_LENGTH = 100;

/** Text without markup, for search, summaries and `plain_text_body`. Never shown as HTML. */
export function plainText(body: string): string {
  if (!/[<&]/.test(body)) return body;
  const spaced = body.replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^>]*>/gi, '\n$&');
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
