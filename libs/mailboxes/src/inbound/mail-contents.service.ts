import { BodyRenderer, type RenderedBody, beginningOf } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { MailOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import type { IdentifiedMail, ParsedMail } from './parse-mail.js';

const MAX_PREVIEW_CHARACTERS = 5000;

@Injectable()
export class MailContentsService {
  constructor(private readonly bodies: BodyRenderer) {}

  async render({ accountId }: InboundMail, mail: IdentifiedMail) {
    const { body, isText, text, files } = bodyOf(mail);
    const rendered = isText ? renderedText(body) : withTextOf(await this.bodies.render(accountId, body), text);
    return { body, files, rendered };
  }

  async preview(
    inbound: InboundMail,
    mail: IdentifiedMail,
  ): Promise<Required<Pick<MailOutcome, 'subject' | 'preview'>>> {
    const text = await this.textOf(inbound, mail);
    return { subject: titleOf(mail.subject) ?? '', preview: beginningOf(text, MAX_PREVIEW_CHARACTERS) };
  }

  async textOf(inbound: InboundMail, mail: IdentifiedMail): Promise<string> {
    return mail.text.trim() || (await this.render(inbound, mail)).rendered.plainTextBody;
  }
}

/** The whole of a longer text is attached. */
const MAX_CHARACTERS = 500_000;
const MAX_TITLE_CHARACTERS = 500;

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

/** Never parsed as markup: `<ana@client.example>` is not a tag. */
export const renderedText = (text: string): RenderedBody => ({ plainTextBody: text, shownAs: 'text', safeHtml: null });

const withTextOf = (rendered: RenderedBody, text: string | null): RenderedBody =>
  text === null ? rendered : { ...rendered, plainTextBody: text.trim() };

export function titleOf(subject: string): string | null {
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  return beginningOf(line, MAX_TITLE_CHARACTERS) || null;
}
