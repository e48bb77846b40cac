import { Clock, Database, isUuid } from '#libs/database';
import { Arrival, type ArrivalSource, InvalidField, type Mailbox, NotFound, TooLarge } from '#libs/entities';
import { FilesService, toDomainError } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival, readArrival } from './arrival.statements.js';
import { MAX_MAIL_BYTES, type StoredMail, storeMail } from './raw-mails.service.js';
import { TooMuchFromUnknownSenders, UnknownSenderLimiter } from './unknown-sender.limiter.js';

export interface IncomingMail {
  readonly source: ArrivalSource;
  readonly envelopeFrom: string | null;
  readonly envelopeTo: string | null;
  readonly content: AsyncIterable<Uint8Array>;
  /** Set if the sender is not authenticated. */
  readonly isFromAnybody?: boolean;
}

/** Stores mail unparsed, for a worker. */
@Injectable()
export class InboundMailService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
    private readonly unknownSenders: UnknownSenderLimiter,
  ) {}

  /** Called before the transfer. */
  refuseWithoutRoom(): Promise<void> {
    return this.files.refuseWithoutRoom();
  }

  /** Called before the transfer. */
  refuseUsedUp(mailbox: Mailbox, sender: string): Promise<void> {
    return this.unknownSenders.refuseUsedUp(mailbox, sender);
  }

  /** The mail is durable when this returns. Round trips: the file 1, the arrival 1. */
  async accept(mailbox: Mailbox, mail: IncomingMail): Promise<Arrival> {
    const { accountId } = mailbox;
    const stored = await storeMail(this.files, accountId, { content: mail.content, refuse: refuseLarge });
    const { id, size } = stored;
    const arrival = this.newArrival(mailbox, mail, stored);
    try {
      if (size === 0) throw new InvalidField('body', 'required', 'the body must be a mail');
      const limit = mail.isFromAnybody ? this.unknownSenders.limitFor(mail.envelopeFrom ?? '', size) : null;
      if (!(await insertArrival(this.database.account(accountId), arrival, limit)))
        throw new TooMuchFromUnknownSenders();
    } catch (error) {
      await this.files.discard(accountId, [id]).catch(() => undefined);
      throw toDomainError(error);
    }
    return arrival;
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

  private newArrival(
    { accountId, id: mailboxId }: Mailbox,
    { source, envelopeFrom, envelopeTo }: IncomingMail,
    stored: StoredMail,
  ): Arrival {
    const now = this.clock.now();
    return Object.assign(new Arrival(), {
      ...stored,
      accountId,
      mailboxId,
      source,
      envelopeFrom,
      envelopeTo,
      state: 'waiting' as const,
      reason: null,
      ticketId: null,
      messageId: null,
      ticketNumber: null,
      sender: null,
      subject: null,
      preview: null,
      verdicts: null,
      createdAt: now,
      understoodAt: null,
    });
  }
}

function refuseLarge(): never {
  throw new TooLarge('mail_too_large', `The mail is larger than ${MAX_MAIL_BYTES / 1024 / 1024} MiB.`);
}
