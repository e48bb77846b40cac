import { type MailParts, type MimePart, textOfPart } from '#libs/mime';
import { plainText } from '../bodies/plain-text.js';

/** What a mail says, once for programs that show no markup and once for those that do. Empty where its sender wrote none. */
export function textsOf({ text, html }: MailParts): { readonly text: string; readonly html: string } {
  const texts = text.map((part) => readAsText(part));
  const pages = html.map((part) => readAsHtml(part));
  return {
    text: text.every((part) => isHtml(part)) ? '' : joined(texts, '\n'),
    html: html.some((part) => isHtml(part)) ? joined(pages, '\n<br>\n') : '',
  };
}

const isHtml = ({ type }: MimePart): boolean => type === 'text/html';

/** The empty lines at the end, which programs leave there, say nothing. */
const joined = (texts: readonly string[], between: string): string =>
  texts
    .filter((text) => text.trim() !== '')
    .join(between)
    .replaceAll('\0', '')
    .trimEnd();

const readAsText = (part: MimePart): string => (isHtml(part) ? plainText(textOfPart(part)) : textOfPart(part));
const readAsHtml = (part: MimePart): string => (isHtml(part) ? textOfPart(part) : asHtml(textOfPart(part)));

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' };

function asHtml(text: string): string {
  const said = text.trimEnd();
  return said === '' ? '' : `<div>${said.replaceAll(/[&<>\n]/g, (sign) => SIGNS[sign]!)}</div>`;
}
