import { type RenderedBody, beginningOf } from '#libs/tickets';
import type { MailFile } from './mail-files.js';
import type { ReadMail } from './read-mail.js';

/** As much as a message holds. The rest of a longer one is in a file beside it. */
const MAX_CHARACTERS = 500_000;
const MAX_TITLE = 500;

export interface MailBody {
  readonly body: string;
  readonly isText: boolean;
  /** What the sender wrote for programs that show no markup. */
  readonly text: string | null;
  readonly files: readonly MailFile[];
}

type BodyParts = Pick<ReadMail, 'html' | 'text' | 'files'> & Partial<Pick<ReadMail, 'longTexts'>>;

/** The markup if there is any, the text if not, and as a file what is too long for a message. */
export function bodyOf({ html, text, files, longTexts }: BodyParts): MailBody {
  const whole = html.trim() === '' ? text : html;
  const plain = text.trim() === '' || whole === text ? null : text;
  const isLong = longTexts !== undefined && longTexts.length > 0;
  if (!isLong && whole.length <= MAX_CHARACTERS && (plain ?? '').length <= MAX_CHARACTERS)
    return { body: whole, isText: whole !== html, text: plain, files };
  const file =
    whole === html ? { name: 'message.html', type: 'text/html' } : { name: 'message.txt', type: 'text/plain' };
  // Markup that is cut off is none.
  const isText = text.trim() !== '';
  const shown = beginningOf(isText ? text : html, MAX_CHARACTERS);
  const texts = isLong ? longTexts : [{ ...file, content: Buffer.from(whole) }];
  return { body: shown, isText, text: null, files: [...texts, ...files] };
}

/** Text of a mail is text, whatever stands in it: an address in angle brackets is no tag. */
export const renderedText = (text: string): RenderedBody => ({ plainTextBody: text, shownAs: 'text', safeHtml: null });

/** The sender knows best how it reads as text. */
export const withTextOf = (rendered: RenderedBody, text: string | null): RenderedBody =>
  text === null ? rendered : { ...rendered, plainTextBody: text.trim() };

/** A subject in one line, or null. */
export function titleOf(subject: string): string | null {
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  return beginningOf(line, MAX_TITLE) || null;
}
