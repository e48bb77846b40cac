import { type MailParts, type MimePart, textOfPart } from '#libs/mime';
import { plainText } from '../bodies/plain-text.js';

/** What a mail says, once for programs that show no markup and once for those that do. Empty where its sender wrote none. */
export const textsOf = ({ text, html }: MailParts): { readonly text: string; readonly html: string } => ({
  text: text.every((part) => isHtml(part))
    ? ''
    : joined(
        text.map((part) => readAsText(part)),
        '\n',
      ),
  html: html.some((part) => isHtml(part))
    ? joined(
        html.map((part) => readAsHtml(part)),
        '\n<br>\n',
      )
    : '',
});

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

function asHtml(text: string): string {
  const escaped = text.trimEnd().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped === '' ? '' : `<div>${escaped.replaceAll('\n', '<br>\n')}</div>`;
}
