import { type AccountTx, Clock, Database } from '#libs/database';
import type { ImapImport } from '#libs/entities';
import { FilesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import { type StoredMail, storeMail } from '../inbound/store-mail.js';
import {
  ADVANCE_IMPORT,
  BEGIN_IMPORT,
  COUNT_WAITING,
  END_IMPORT,
  FAIL_IMPORT,
  LOCK_IMPORT,
  findImport,
} from './imap-account.statements.js';
import {
  ADVANCE_FOLDER,
  END_COMPARISON,
  FORGET_SEEN,
  type ImapRelease,
  KNOWN_HASHES,
  KNOWN_UIDS,
  type LeasedImap,
  type Numbering,
  RECORD_SEEN,
  RENUMBER_FOLDER,
  SETTLE_CONNECTION,
  type SeenMail,
} from './imap-lease.statements.js';

/** Another worker has the lease. */
export class LeaseLost extends Error {}

/** The import was stopped or replaced, or another worker has the lease. */
export class ImportEnded extends Error {}

export interface FetchedMail extends SeenMail {
  /** Null for a mail that was received before. */
  readonly stored: StoredMail | null;
  readonly receivedAt: Date | null;
}

interface FetchedBatch {
  readonly mails: readonly FetchedMail[];
  readonly upTo: number;
}

export interface HeldImport {
  readonly held: LeasedImap;
  readonly startedAt: Date;
}

/** Stores fetched mails and the position in the folder, for the worker that has the lease. */
@Injectable()
export class ImapMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
  ) {}

  store({ accountId }: LeasedImap, content: AsyncIterable<Uint8Array>): Promise<StoredMail> {
    return storeMail(this.files, accountId, content);
  }

  async discard({ accountId }: LeasedImap, mails: readonly FetchedMail[]): Promise<void> {
    const ids = mails.flatMap(({ stored }) => (stored ? [stored.id] : []));
    await this.files.discard(accountId, ids).catch(() => undefined);
  }

  /** Advances the position in the folder in the same transaction. */
  async accept(held: LeasedImap, generation: number, { mails, upTo }: FetchedBatch): Promise<void> {
    await this.account(held).transaction(async (tx) => {
      requireLease(await tx.row(ADVANCE_FOLDER, [held.id, held.lease, upTo]));
      await this.insert(tx, held, mails, false);
      recordSeen(tx, held, generation, mails);
    });
  }

  /** `known` are mails that must not be fetched. */
  async renumber(held: LeasedImap, to: Numbering, known: readonly SeenMail[]): Promise<void> {
    const { generation, uidValidity, lastUid, compareSince } = to;
    const values = [held.id, held.lease, generation, uidValidity, lastUid, compareSince];
    await this.account(held).transaction(async (tx) => {
      requireLease(await tx.row(RENUMBER_FOLDER, values));
      recordSeen(tx, held, generation, known);
    });
  }

  async endComparison(held: LeasedImap): Promise<void> {
    await this.account(held).transaction(async (tx) => {
      requireLease(await tx.row(END_COMPARISON, [held.id, held.lease]));
      tx.send(FORGET_SEEN, [held.id]);
    });
  }

  async settle(held: LeasedImap): Promise<void> {
    requireLease(await this.account(held).row(SETTLE_CONNECTION, [held.id, held.lease]));
  }

  async knownHashes(held: LeasedImap, hashes: readonly string[]): Promise<Set<string>> {
    const rows = await this.account(held).rows<{ hash: string }>(KNOWN_HASHES, [held.id, hashes]);
    return new Set(rows.map(({ hash }) => hash));
  }

  async knownUids(held: LeasedImap, generation: number, uids: readonly number[]): Promise<Set<number>> {
    const rows = await this.account(held).rows<{ uid: number }>(KNOWN_UIDS, [held.id, generation, uids]);
    return new Set(rows.map(({ uid }) => uid));
  }

  async findImport(held: LeasedImap): Promise<ImapImport | null> {
    const found = await findImport(this.account(held), held.id);
    return found?.endedAt ? null : found;
  }

  async beginImport(
    running: HeldImport,
    { uidValidity, endUid, total }: { readonly uidValidity: string; readonly endUid: number; readonly total: number },
  ): Promise<void> {
    const values = [...keysOf(running), uidValidity, endUid, total];
    requireImport(await this.account(running.held).row(BEGIN_IMPORT, values));
  }

  /** `passed` also counts mails that were received before. */
  async acceptImported(running: HeldImport, { mails, upTo }: FetchedBatch, passed: number): Promise<void> {
    const { held } = running;
    await this.account(held).transaction(async (tx) => {
      requireImport(await tx.row(LOCK_IMPORT, [held.id, held.lease]));
      requireImport(await tx.row(ADVANCE_IMPORT, [...keysOf(running), upTo, passed]));
      await this.insert(tx, held, mails, true);
    });
  }

  async endImport(running: HeldImport): Promise<void> {
    requireImport(await this.account(running.held).row(END_IMPORT, keysOf(running)));
  }

  async failImport(running: HeldImport, { pauseMs, error, stuckUid }: ImapRelease): Promise<void> {
    await this.account(running.held).rows(FAIL_IMPORT, [...keysOf(running), pauseMs / 1000, error, stuckUid]);
  }

  async countWaiting(held: LeasedImap): Promise<number> {
    return (await this.account(held).row<{ count: number }>(COUNT_WAITING, [held.id]))!.count;
  }

  private async insert(
    tx: AccountTx,
    { id: mailboxId }: LeasedImap,
    mails: readonly FetchedMail[],
    isImported: boolean,
  ): Promise<void> {
    const now = this.clock.now();
    const fetched = { source: 'imap', envelopeFrom: null, envelopeTo: null, mailboxId, createdAt: now } as const;
    const arrivals = mails.flatMap(({ stored, receivedAt: reported }) => {
      const receivedAt = isImported ? plausible(reported ?? now, now) : null;
      return stored ? [{ ...stored, ...fetched, receivedAt }] : [];
    });
    await Promise.all(arrivals.map((arrival) => insertArrival(tx, arrival)));
  }

  private account({ accountId }: LeasedImap) {
    return this.database.account(accountId);
  }
}

const keysOf = ({ held, startedAt }: HeldImport): unknown[] => [held.id, held.lease, startedAt];

function recordSeen(tx: AccountTx, { id }: LeasedImap, generation: number, mails: readonly SeenMail[]): void {
  if (mails.length === 0) return;
  tx.send(RECORD_SEEN, [id, generation, mails.map(({ uid }) => uid), mails.map(({ hash }) => hash)]);
}

function requireLease(row: unknown): void {
  if (row === undefined) throw new LeaseLost();
}

function requireImport(row: unknown): void {
  if (row === undefined) throw new ImportEnded();
}

/** Replaces times in the future or before 1970. */
function plausible(reported: Date, now: Date): Date {
  const time = reported.getTime();
  return Number.isNaN(time) || time < 0 || time > now.getTime() ? now : reported;
}
