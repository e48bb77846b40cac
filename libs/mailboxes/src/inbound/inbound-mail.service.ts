import { createHash } from 'node:crypto';
import { Clock, Database, isUuid } from '#libs/database';
import { type Arrival, InvalidField, type Mailbox, NotFound, TooLarge } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { SizeLimitedContent } from '#libs/storage';
import { FilesService, toDomainError } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import {
  DISCARD_OLD_QUARANTINED,
  DISCARD_RAW,
  FIND_KNOWN_SENDER,
  insertArrival,
  readArrival,
} from './arrival.statements.js';

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
    const found = await account.row<{ known: boolean }>(FIND_KNOWN_SENDER, [sender.toLowerCase()]);
    if (!found!.known) throw new TooMuchFromUnknownSenders();
  }

  /** The mail is durable when this returns. Round trips: the file 1, the arrival 1. */
  async accept({ accountId, id: mailboxId }: Mailbox, mail: IncomingMail): Promise<Arrival> {
    const { content, isFromAnybody, ...envelope } = mail;
    const stored = await storeMail(this.files, accountId, content);
    try {
      if (stored.size === 0) throw new InvalidField('body', 'required', 'the body must be a mail');
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

/** The largest providers accept as much. */
export const MAX_MAIL_BYTES = 50 * 1024 * 1024;

export type StoredMail = Readonly<Pick<Arrival, 'id' | 'size' | 'hash'>>;

/** Throws TooLarge. */
export async function storeMail(
  files: FilesService,
  accountId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<StoredMail> {
  const hash = createHash('sha256');
  const limited = new SizeLimitedContent(content, (size, chunk) => {
    if (size > MAX_MAIL_BYTES)
      throw new TooLarge('mail_too_large', `The mail is larger than ${MAX_MAIL_BYTES / 1024 / 1024} MiB.`);
    hash.update(chunk);
  });
  const id = await files.save(accountId, limited);
  return { id, size: limited.size, hash: hash.digest('hex') };
}

const BATCH = 500;

/** Called by upkeep until it returns 0. */
@Injectable()
export class RawMailsService {
  constructor(private readonly database: Database) {}

  /** The rows stay, so that replies and repeats are recognized. */
  async giveUp(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(DISCARD_RAW, [before, now, BATCH])).length;
  }

  async discardQuarantined(before: Date, now: Date): Promise<number> {
    return (await this.database.system().rows(DISCARD_OLD_QUARANTINED, [before, now, BATCH])).length;
  }
}
