import { createHash } from 'node:crypto';
import { Clock, Database, isUuid } from '#libs/database';
import { Arrival, type ArrivalSource, InvalidField, type Mailbox, NotFound, TooLarge } from '#libs/entities';
import { FilesService, SizeLimitedContent, refusalOf } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival, readArrival } from './arrival.statements.js';
import { MAX_MAIL_BYTES } from './mail-size.js';
import { TooMuchFromUnknownSenders, UnknownSendersService } from './unknown-senders.service.js';

/** A mail on its way in: whatever can be read piece by piece. */
export interface IncomingMail {
  readonly source: ArrivalSource;
  readonly envelopeFrom: string | null;
  readonly envelopeTo: string | null;
  readonly content: AsyncIterable<Uint8Array>;
  /** True if the sender is not authenticated. */
  readonly isFromAnybody?: boolean;
}

/** Accepts mail. Whatever is in it, it is kept first, and understood by a worker afterwards. */
@Injectable()
export class ArrivalsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
    private readonly unknownSenders: UnknownSendersService,
  ) {}

  /** Refuses a mail before its transfer if there is no room to store it. */
  refuseWithoutRoom(): Promise<void> {
    return this.files.refuseWithoutRoom();
  }

  /** Refuses a mail before its transfer if the mailbox has received too much from unknown senders. */
  refuseUsedUp(mailbox: Mailbox, sender: string): Promise<void> {
    return this.unknownSenders.refuseUsedUp(mailbox, sender);
  }

  /** Stores the mail durably before it returns. Round trips: the file 1, the arrival 1. */
  async accept(mailbox: Mailbox, mail: IncomingMail): Promise<Arrival> {
    const { accountId } = mailbox;
    const hash = createHash('sha256');
    const content = new SizeLimitedContent(hashed(mail.content, hash), refuseLarge);
    const id = await this.files.save(accountId, content);
    const arrival = this.newArrival(mailbox, mail, { id, size: content.size, hash: hash.digest('hex') });
    try {
      if (content.size === 0) throw new InvalidField('body', 'required', 'the body must be a mail');
      const limit = mail.isFromAnybody ? this.unknownSenders.limitFor(mail.envelopeFrom ?? '', content.size) : null;
      if (!(await insertArrival(this.database.account(accountId), arrival, limit)))
        throw new TooMuchFromUnknownSenders();
    } catch (error) {
      await this.files.discard(accountId, [id]).catch(() => undefined);
      throw refusalOf(error);
    }
    return arrival;
  }

  /** The bytes of a mail that was accepted. Opened when they are read, so that somebody hears of it if they cannot be. */
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
    kept: Pick<Arrival, 'id' | 'size' | 'hash'>,
  ): Arrival {
    const now = this.clock.now();
    return Object.assign(new Arrival(), {
      ...kept,
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

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

function refuseLarge(size: number): void {
  if (size > MAX_MAIL_BYTES)
    throw new TooLarge('mail_too_large', `The mail is larger than ${MAX_MAIL_BYTES / 1024 / 1024} MiB.`);
}
