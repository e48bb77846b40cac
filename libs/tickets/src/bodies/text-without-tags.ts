import { decodeHTML } from 'entities';

/** Text of HTML without parsing it, in time linear in its length. Differs from a browser only for malformed tags. */
export const textWithoutTags = (html: string): string =>
  decodeEntities(withLineBreaks(withoutHiddenParts(html)).replaceAll(/<[^<>]*>/g, '')).trim();

export const withLineBreaks = (body: string): string =>
  body.replaceAll(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]*>/gi, '\n$&');

/** Beginnings and ends of parts that a browser hides. */
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
