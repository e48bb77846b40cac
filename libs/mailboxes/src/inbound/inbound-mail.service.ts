import { Clock, Database, isUuid } from '#libs/database';
import { type Arrival, InvalidField, type Mailbox, NotFound } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { FilesService, toDomainError } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { insertArrival, isKnownSender, readArrival } from './arrival.statements.js';
import { storeMail } from './store-mail.js';

interface IncomingMail extends Pick<Arrival, 'source' | 'envelopeFrom' | 'envelopeTo'> {
  readonly content: AsyncIterable<Uint8Array>;
  /** Set if the sender is not authenticated. */
  readonly isFromAnybody?: boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const KIB = 1024;

export class TooMuchFromUnknownSenders extends Error {}

/** Stores mail unparsed, for a worker. */
@Injectable()
export class InboundMailService {
  private readonly maxKib: number;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
    @Inject(SETTINGS_TOKEN) { MAIL_UNKNOWN_SENDERS_MIB_PER_DAY }: Settings,
  ) {
    this.maxKib = MAIL_UNKNOWN_SENDERS_MIB_PER_DAY * KIB;
  }

  /** Called before the transfer. */
  refuseWithoutRoom(): Promise<void> {
    return this.files.refuseWithoutRoom();
  }

  /**
   * Called before the transfer. The envelope can be forged: mail that names a customer is limited only by the disk
   * reserve. One round trip if the bytes of the day are used up, otherwise none.
   */
  async refuseUsedUp({ accountId, unknownSendersDay, unknownSendersKib }: Mailbox, sender: string): Promise<void> {
    if (unknownSendersDay !== this.today() || unknownSendersKib < this.maxKib) return;
    const account = this.database.account(accountId);
    if (!(await isKnownSender(account, sender.toLowerCase()))) throw new TooMuchFromUnknownSenders();
  }

  /** The mail is durable when this returns. Round trips: the file 1, the arrival 1. */
  async accept({ accountId, id: mailboxId }: Mailbox, mail: IncomingMail): Promise<Arrival> {
    const { content, isFromAnybody, ...envelope } = mail;
    const stored = await storeMail(this.files, accountId, content);
    try {
      if (stored.size === 0) throw new InvalidField('body', 'required', 'the body must be an email');
      const arrival = { ...envelope, ...stored, mailboxId, createdAt: this.clock.now(), receivedAt: null };
      const sender = (mail.envelopeFrom ?? '').toLowerCase();
      const kib = Math.ceil(stored.size / KIB);
      const limit = isFromAnybody ? { sender, day: this.today(), kib, maxKib: this.maxKib } : null;
      const accepted = await insertArrival(this.database.account(accountId), arrival, limit);
      if (!accepted) throw new TooMuchFromUnknownSenders();
      return accepted;
    } catch (error) {
      await this.files.discard(accountId, [stored.id]).catch(() => undefined);
      throw toDomainError(error);
    }
  }

  /** Opens the file when it is read, so that the reader gets the error. */
  async *contentOf({ accountId, id }: Pick<Arrival, 'accountId' | 'id'>): AsyncGenerator<Uint8Array> {
    const file = await this.files.open({ accountId, id });
    if (file) yield* file as AsyncIterable<Uint8Array>;
  }

  async read({ accountId }: { readonly accountId: string }, id: string): Promise<Arrival> {
    if (!isUuid(id)) throw new NotFound('arrival');
    return readArrival(this.database.account(accountId), id);
  }

  /** Days of UTC since 1970. */
  private today(): number {
    return Math.floor(this.clock.now().getTime() / DAY_MS);
  }
}
