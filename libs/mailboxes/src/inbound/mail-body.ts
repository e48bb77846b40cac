import { MAX_TITLE_CHARACTERS } from '#libs/entities';
import { beginningOf } from '#libs/mail';
import type { MailContentsService } from '#libs/tickets';
import type { InboundMail } from './arrival.statements.js';
import type { IdentifiedMail, ParsedMail } from './parse-mail.js';

/** The whole of a longer text is attached. */
const MAX_CHARACTERS = 500_000;

type BodyParts = Pick<ParsedMail, 'html' | 'text' | 'files'> & Partial<Pick<ParsedMail, 'longTexts'>>;

/** Text that is too long for a message becomes a file. */
export function bodyOf({ html, text, files, longTexts }: BodyParts) {
  const whole = html.trim() === '' ? text : html;
  const plain = text.trim() === '' || whole === text ? null : text;
  const isLong = longTexts !== undefined && longTexts.length > 0;
  if (!isLong && whole.length <= MAX_CHARACTERS && (plain ?? '').length <= MAX_CHARACTERS)
    return { body: whole, isText: whole !== html, text: plain, files };
  const file =
    whole === html ? { name: 'message.html', type: 'text/html' } : { name: 'message.txt', type: 'text/plain' };
  // Markup cannot be truncated.
  const isText = text.trim() !== '';
  const shown = beginningOf(isText ? text : html, MAX_CHARACTERS);
  const texts = isLong ? longTexts : [{ ...file, content: Buffer.from(whole) }];
  return { body: shown, isText, text: null, files: [...texts, ...files] };
}

export function titleOf(subject: string): string | null {
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  return beginningOf(line, MAX_TITLE_CHARACTERS) || null;
}

/** Renders a body in HTML only if the sender wrote no text. */
export async function textOf(
  contents: MailContentsService,
  { accountId }: InboundMail,
  mail: IdentifiedMail,
): Promise<string> {
  return mail.text.trim() || contents.textOf(accountId, bodyOf(mail));
}
