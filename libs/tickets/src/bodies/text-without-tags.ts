import { decodeHTML } from 'entities';

/**
 * The text of HTML that nobody parses: what it costs depends on its length alone. Where tags are nested or cut in odd
 * ways, a browser would show another text.
 */
export const textWithoutTags = (html: string): string =>
  decodeEntities(withLineBreaks(withoutHiddenParts(html)).replaceAll(/<[^<>]*>/g, '')).trim();

/** A line ends where a browser would end it. */
export const withLineBreaks = (body: string): string =>
  body.replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n$&');

/** Where each part that a browser hides begins, and where it ends. */
const BEGINNING = /<!--|<(style|script|title)\b/gi;
const ENDS: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/g,
  '<style': /<\/style\b[^<>]*>/gi,
  '<script': /<\/script\b[^<>]*>/gi,
  '<title': /<\/title\b[^<>]*>/gi,
};

/** As in a browser, a part that does not end hides everything after it. */
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

/** No character has a number of as many digits, and `decodeHTML` throws at one of hundreds. */
const decodeEntities = (text: string): string => decodeHTML(text.replaceAll(/&#x?[\da-f]{9,};?/gi, '\uFFFD'));
