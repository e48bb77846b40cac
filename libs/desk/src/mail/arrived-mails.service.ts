import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { FilesService } from '../files.service.js';
import type { ClaimedArrival } from './arrival.statements.js';
import { mailIdOfContent } from './mail-ids.js';
import { MailReader, UnreadableMail } from './mail-reader.js';
import { NOBODY, isMailAddress } from './mail-sender.js';
import type { MailSender, ReadMail } from './read-mail.js';
import { ReplyAddresses } from './reply-addresses.js';
import { mailAbout } from './unreadable-mail.js';

/** Who fails so often on a mail, or dies of it, does not read it any more. */
const MOST_TRIES = 5;

/** A mail with a sender and an id, whatever it says itself. */
export type IdentifiedMail = ReadMail & {
  readonly from: MailSender;
  readonly mailId: string;
  /** Of the ticket that a signed address of ours names. */
  readonly ticketNumber: number | null;
};

export interface ArrivedMail {
  readonly mail: IdentifiedMail;
  /** Why it could not be read. The mail then says so. */
  readonly fault: UnreadableMail['reason'] | null;
}

/** Mails that were accepted, as far as they can be read. */
@Injectable()
export class ArrivedMailsService {
  constructor(
    private readonly files: FilesService,
    private readonly reader: MailReader,
    private readonly addresses: ReplyAddresses,
  ) {}

  async read(arrival: ClaimedArrival): Promise<ArrivedMail> {
    const raw = await this.load(arrival);
    const { tries, envelopeFrom } = arrival;
    const read = tries > MOST_TRIES ? new UnreadableMail('crash') : await this.reader.read({ raw, envelopeFrom });
    if (read instanceof UnreadableMail)
      return { mail: this.identify(mailAbout(read, arrival, raw), arrival), fault: read.reason };
    return { mail: this.identify(read, arrival), fault: null };
  }

  private async load({ accountId, id }: ClaimedArrival): Promise<Buffer> {
    const file = await this.files.open({ accountId, id });
    if (!file) throw new Error('the bytes of a mail that was accepted are not in the file store');
    return buffer(file);
  }

  /** Who cannot be told from the mail is known by its envelope, and is else nobody. A mail without an id is known by what it says. */
  private identify(mail: ReadMail, { accountId, envelopeFrom, envelopeTo }: ClaimedArrival): IdentifiedMail {
    const envelope = { address: envelopeFrom?.toLowerCase() ?? '', name: '' };
    const from = [mail.from, envelope].find((one) => one && isMailAddress(one.address)) ?? {
      address: NOBODY,
      name: '',
    };
    const recipients = envelopeTo === null ? mail.recipients : [envelopeTo, ...mail.recipients];
    const ticketNumber = this.addresses.ticketOf(recipients, accountId);
    return { ...mail, from, ticketNumber, mailId: mail.mailId ?? mailIdOfContent(mail.contentHash) };
  }
}
