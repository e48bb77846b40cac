import { buffer } from 'node:stream/consumers';
import { FilesService, NOBODY, ReplyAddressesService, isMailAddress, shownAddresses } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { ClaimedArrival } from './arrival.statements.js';
import { mailIdOfContent } from './mail-ids.js';
import { Interrupted } from './mail-retry.js';
import { MailReader, UnreadableMail } from './mail-reader.js';
import { OwnMailsService } from './own-mails.service.js';
import type { IdentifiedMail, ReadMail } from './read-mail.js';
import { mailAbout } from './unreadable-mail.js';

/** Who fails so often on a mail, or dies of it, does not read it any more. */
const MAX_TRIES = 5;

export interface ArrivedMail {
  readonly mail: IdentifiedMail;
  /** Why it could not be read. The mail then says so. */
  readonly fault: UnreadableMail['reason'] | null;
}

/** Mails that were accepted, as far as they can be read. */
@Injectable()
export class ArrivedMailsService {
  private stopped = false;

  constructor(
    private readonly files: FilesService,
    private readonly reader: MailReader,
    private readonly addresses: ReplyAddressesService,
    readonly own: OwnMailsService,
  ) {}

  /** What is being read then is read by nobody, and is no mail that kills. */
  stop(): Promise<void> {
    this.stopped = true;
    return this.reader.stop();
  }

  /** Removes the bytes of a mail whose content is stored elsewhere too. Upkeep removes them if this fails. */
  async discard({ accountId, id }: ClaimedArrival): Promise<void> {
    await this.files.discard(accountId, [id]).catch(() => undefined);
  }

  async read(arrival: ClaimedArrival): Promise<ArrivedMail> {
    const raw = await this.load(arrival);
    const read = raw === null ? new UnreadableMail('lost') : await this.readBytes(raw, arrival);
    if (read instanceof UnreadableMail)
      return { mail: this.identify(mailAbout(read, arrival, raw), arrival), fault: read.reason };
    return { mail: this.identify(read, arrival), fault: null };
  }

  /** Null if there is nothing to wait for: a store that cannot be asked says so. */
  private async load({ accountId, id }: ClaimedArrival): Promise<Buffer | null> {
    const file = await this.files.open({ accountId, id });
    return file && buffer(file);
  }

  private async readBytes(raw: Buffer, { tries, envelopeFrom }: ClaimedArrival): Promise<ReadMail | UnreadableMail> {
    if (this.stopped) throw new Interrupted('the worker stops');
    if (tries > MAX_TRIES) return new UnreadableMail('crash');
    const read = await this.reader.read({ raw, envelopeFrom }, { isFirst: tries === 1 });
    if (this.stopped && read instanceof UnreadableMail) throw new Interrupted('the worker stops');
    // A machine that has too much to do is late with any mail, or ends a process for its memory.
    if (read instanceof UnreadableMail && read.reason !== 'malformed' && tries === 1)
      throw new Error('reading a mail took too long or too much memory, and is tried once more');
    return read;
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
    const shown = { to: shownAddresses(mail.to), cc: shownAddresses(mail.cc) };
    return { ...mail, ...shown, from, ticketNumber, mailId: mail.mailId ?? mailIdOfContent(mail.contentHash) };
  }
}
