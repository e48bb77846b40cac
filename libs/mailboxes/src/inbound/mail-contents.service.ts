import { BodyRenderer, type RenderedBody, beginningOf } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { ArrivalEnd, ClaimedArrival } from './arrival.statements.js';
import { bodyOf, renderedText, titleOf, withTextOf } from './mail-body.js';
import type { MailFile } from './mail-files.js';
import type { IdentifiedMail } from './read-mail.js';

/** As much of a held mail as tells what it is about. */
const MAX_SHOWN = 5000;

export interface RenderedMail {
  readonly body: string;
  readonly rendered: RenderedBody;
  readonly files: readonly MailFile[];
}

/** What a mail says, as the desk keeps and shows it. */
@Injectable()
export class MailContentsService {
  constructor(private readonly bodies: BodyRenderer) {}

  async render({ accountId }: ClaimedArrival, mail: IdentifiedMail): Promise<RenderedMail> {
    const { body, isText, text, files } = bodyOf(mail);
    const rendered = isText ? renderedText(body) : withTextOf(await this.bodies.render(accountId, body), text);
    return { body, files, rendered };
  }

  /** What a person sees of one that is held. */
  async show(
    arrival: ClaimedArrival,
    mail: IdentifiedMail,
  ): Promise<Required<Pick<ArrivalEnd, 'subject' | 'preview'>>> {
    const text = await this.textOf(arrival, mail);
    return { subject: titleOf(mail.subject) ?? '', preview: beginningOf(text, MAX_SHOWN) };
  }

  /** The sender’s own, or that of the markup. */
  async textOf(arrival: ClaimedArrival, mail: IdentifiedMail): Promise<string> {
    return mail.text.trim() || (await this.render(arrival, mail)).rendered.plainTextBody;
  }
}
