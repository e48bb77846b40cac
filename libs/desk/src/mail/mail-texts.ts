import { type MailParts, type MimePart, textOfPart } from '#libs/mime';
import { plainText } from '../bodies/plain-text.js';

/** What a mail says, once for programs that show no markup and once for those that do. Empty where its sender wrote none. */
export function textsOf({ text, html }: MailParts): { readonly text: string; readonly html: string } {
  return {
    text: text.some((part) => !isHtml(part))
      ? joined(
          text.map((part) => readAsText(part)),
          '\n\n',
        )
      : '',
    html: html.some((part) => isHtml(part))
      ? joined(
          html.map((part) => readAsHtml(part)),
          '\n<br>\n',
        )
      : '',
  };
}

const isHtml = ({ type }: MimePart): boolean => type === 'text/html';

/** The empty lines at the end, which programs leave there, say nothing. */
const joined = (texts: readonly string[], between: string): string =>
  texts
    .map((text) => text.replaceAll('\0', '').trimEnd())
    .filter((text) => text !== '')
    .join(between);

const readAsText = (part: MimePart): string => (isHtml(part) ? plainText(textOfPart(part)) : textOfPart(part));
const readAsHtml = (part: MimePart): string => (isHtml(part) ? textOfPart(part) : asHtml(textOfPart(part)));

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' };

const asHtml = (text: string): string => `<div>${text.trimEnd().replaceAll(/[&<>\n]/g, (sign) => SIGNS[sign]!)}</div>`;
