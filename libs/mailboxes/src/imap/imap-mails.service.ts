import { Clock, Database } from '#libs/database';
import { Arrival } from '#libs/entities';
import { FilesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import { type StoredMail, storeMail } from '../inbound/raw-mails.service.js';
import {
  type LeasedImap,
  type Numbering,
  type SeenMail,
  advanceTo,
  endComparison,
  knownHashes,
  knownUids,
  recordSeen,
  renumber,
  settle,
} from './imap-lease.statements.js';

export class MailTooLarge extends Error {}

export interface FetchedMail extends SeenMail {
  /** Null for a mail that was received before. */
  readonly stored: StoredMail | null;
  readonly receivedAt: Date | null;
}

@Injectable()
export class ImapMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
  ) {}

  store({ accountId }: LeasedImap, content: AsyncIterable<Uint8Array>): Promise<StoredMail> {
    return storeMail(this.files, accountId, { content, refuse: refuseLarge });
  }

  async discard({ accountId }: LeasedImap, mails: readonly FetchedMail[]): Promise<void> {
    const ids = mails.flatMap(({ stored }) => (stored ? [stored.id] : []));
    await this.files.discard(accountId, ids).catch(() => undefined);
  }

  /** Advances the position in the folder in the same transaction. */
  async accept(
    held: LeasedImap,
    generation: number,
    { mails, upTo }: { readonly mails: readonly FetchedMail[]; readonly upTo: number },
  ): Promise<void> {
    await this.database.account(held.accountId).transaction(async (tx) => {
      await advanceTo(tx, held, upTo);
      const at = { now: this.clock.now(), receivedAt: null };
      const arrivals = mails.flatMap(({ stored }) => (stored ? [fetchedArrival(held, stored, at)] : []));
      await Promise.all(arrivals.map((arrival) => insertArrival(tx, arrival)));
      recordSeen(tx, held, generation, mails);
    });
  }

  /** `known` are mails that must not be fetched. */
  async renumber(held: LeasedImap, to: Numbering, known: readonly SeenMail[]): Promise<void> {
    await this.database.account(held.accountId).transaction(async (tx) => {
      await renumber(tx, held, to);
      recordSeen(tx, held, to.generation, known);
    });
  }

  async endComparison(held: LeasedImap): Promise<void> {
    await this.database.account(held.accountId).transaction((tx) => endComparison(tx, held));
  }

  settle(held: LeasedImap): Promise<void> {
    return settle(this.database.account(held.accountId), held);
  }

  knownHashes(held: LeasedImap, hashes: readonly string[]): Promise<Set<string>> {
    return knownHashes(this.database.account(held.accountId), held, hashes);
  }

  knownUids(held: LeasedImap, generation: number, uids: readonly number[]): Promise<Set<number>> {
    return knownUids(this.database.account(held.accountId), held, generation, uids);
  }
}

interface FetchedAt {
  readonly now: Date;
  /** Set for a mail that is older than the mailbox. */
  readonly receivedAt: Date | null;
}

export function fetchedArrival(
  { id: mailboxId, accountId }: LeasedImap,
  stored: StoredMail,
  { now, receivedAt }: FetchedAt,
): Arrival {
  const envelope = { source: 'imap' as const, envelopeFrom: null, envelopeTo: null };
  const times = { createdAt: now, receivedAt: receivedAt && plausible(receivedAt, now) };
  return Object.assign(new Arrival(), { ...stored, ...envelope, ...times, accountId, mailboxId });
}

/** Replaces times in the future or before 1970. */
function plausible(reported: Date, now: Date): Date {
  const time = reported.getTime();
  return Number.isNaN(time) || time < 0 || time > now.getTime() ? now : reported;
}

function refuseLarge(): never {
  throw new MailTooLarge();
}
