import { type Message, beginningOf } from '#libs/entities';
import { decodeHTML, decodeXML } from 'entities';
import sanitize from 'sanitize-html';
import { htmlOfMarkdown } from './markdown.js';
import { NO_TEXT, safeHtml } from './safe-html.js';
import { looksLikeHtml } from './tag-nesting.js';

/** `body` replaces the body that was written. */
export type RenderedBody = Pick<Message, 'plainTextBody' | 'shownAs' | 'safeHtml'> & { readonly body?: string };

export interface Markup {
  readonly body: string;
  /** People write Markdown in the console. Programs send text or HTML. */
  readonly markdown?: boolean | undefined;
}

/** The worst markup of this size takes less than two milliseconds: docs/decisions/message-bodies.md. */
const QUICK_CHARACTERS = 6000;
/** Signs with which markup begins, and how many may be in it. */
const HTML = { signs: /[<&]/g, quick: 500 };
const MARKDOWN = { signs: /[!-/:-@[-`{-~]/g, quick: 200 };

export function isQuicklyRendered({ body, markdown = false }: Markup): boolean {
  if (body.length > QUICK_CHARACTERS) return !markdown && isPlainText(body);
  const { signs, quick } = markdown ? MARKDOWN : HTML;
  return (body.match(signs)?.length ?? 0) <= quick;
}

export function renderBody({ body, markdown = false }: Markup): RenderedBody {
  if (markdown) return renderMarkdown(body);
  const plainTextBody = plainText(body);
  if (isPlainText(body) || !looksLikeHtml(body)) return { plainTextBody, shownAs: 'text', safeHtml: null };
  const html = hasTooManyTags(body) ? null : safeHtml(body);
  return { plainTextBody, shownAs: html === null ? 'text_of_html' : 'html', safeHtml: html };
}

/** The text stays as it was written, for lists, searches and mail programs without HTML. */
function renderMarkdown(text: string): RenderedBody {
  const html = htmlOfMarkdown(text);
  const safe = html === null || hasTooManyTags(html) ? null : safeHtml(html);
  if (safe === null) return asText(text);
  return { body: safe, plainTextBody: text, shownAs: 'html', safeHtml: safe };
}

const asText = (text: string): RenderedBody => ({ plainTextBody: text, shownAs: 'text', safeHtml: null });

/** For a body that exceeds the time or memory of the renderer. */
export const renderWithoutMarkup = ({ body, markdown = false }: Markup): RenderedBody =>
  markdown ? asText(body) : { plainTextBody: textWithoutTags(body), shownAs: 'text_of_html', safeHtml: null };

const SUMMARY_LENGTH = 100;

const MAX_TAGS = 5000;

/** The sanitizer compares each closing tag with every open one, so the time would grow with the square of the tags. */
const hasTooManyTags = (body: string): boolean => hasMore(body, '<', MAX_TAGS);

/** The sanitizer takes ten times as long for these. A long mail with a table has thousands. */
const MAX_AMPERSANDS = 20_000;

const isPlainText = (body: string): boolean => !/[<&]/.test(body);

/** Not safe as HTML. */
export function plainText(body: string): string {
  if (isPlainText(body)) return body;
  if (hasTooManyTags(body) || hasMore(body, '&', MAX_AMPERSANDS)) return textWithoutTags(body);
  // The sanitizer decodes every entity, and escapes again what XML requires.
  return decodeXML(
    sanitize(withLineBreaks(body), { allowedTags: [], allowedAttributes: {}, nonTextTags: NO_TEXT }),
  ).trim();
}

function hasMore(body: string, sign: string, limit: number): boolean {
  let count = 0;
  for (let at = body.indexOf(sign); at !== -1 && count <= limit; at = body.indexOf(sign, at + 1)) count++;
  return count > limit;
}

export const summaryOf = (text: string): string => beginningOf(text.replaceAll(/\s+/g, ' ').trim(), SUMMARY_LENGTH);

/** Text of HTML without parsing it, in time linear in its length. Differs from a browser only for malformed tags. */
const textWithoutTags = (html: string): string =>
  decodeEntities(withLineBreaks(withoutHiddenParts(html)).replaceAll(/<[^<>]*>/g, '')).trim();

const withLineBreaks = (body: string): string => body.replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n$&');

const BEGINNING = /<!--|<(style|script|title)\b/gi;
const ENDS: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/g,
  '<style': /<\/style\b[^<>]*>/gi,
  '<script': /<\/script\b[^<>]*>/gi,
  '<title': /<\/title\b[^<>]*>/gi,
};

/** As in a browser, an unclosed part hides the rest. */
function withoutHiddenParts(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let begin = findFrom(BEGINNING, html, from); begin; begin = findFrom(BEGINNING, html, from)) {
    kept.push(html.slice(from, begin.index));
    const end = findFrom(ENDS[begin[0].toLowerCase()]!, html, begin.index);
    from = end ? end.index + end[0].length : html.length;
  }
  return kept.join('') + html.slice(from);
}

function findFrom(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** `decodeHTML` throws at a number of hundreds of digits, and no character has more than eight. */
const decodeEntities = (text: string): string => decodeHTML(text.replaceAll(/&#x?[\da-f]{9,};?/gi, '\uFFFD'));
