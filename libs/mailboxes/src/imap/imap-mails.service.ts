import { type AccountTx, Clock, Database } from '#libs/database';
import type { ImapImport } from '#libs/entities';
import { FilesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import { type StoredMail, storeMail } from '../inbound/store-mail.js';
import {
  type HeldImport,
  type ImportedFolder,
  advanceImport,
  beginImport,
  countWaiting,
  endImport,
  failImport,
  findImport,
  lockImport,
} from './imap-import.statements.js';
import {
  type Numbering,
  type SeenMail,
  advanceFolder,
  endComparison,
  findKnownHashes,
  findKnownUids,
  forgetSeen,
  recordSeen,
  renumberFolder,
  settleConnection,
} from './imap-folder.statements.js';
import type { ImapRelease, LeasedImap } from './imap-lease.statements.js';

/** Another worker has the lease. */
export class LeaseLost extends Error {}

/** The import was stopped or replaced, or another worker has the lease. */
export class ImportEnded extends Error {}

export interface FetchedMail extends SeenMail {
  /** Null for an email that was received before. */
  readonly stored: StoredMail | null;
  readonly receivedAt: Date | null;
}

interface FetchedBatch {
  readonly mails: readonly FetchedMail[];
  readonly upTo: number;
}

/** Stores fetched emails and the position in the folder, for the worker that has the lease. */
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
      requireLease(await advanceFolder(tx, held, upTo));
      await this.insert(tx, held, mails, false);
      recordSeen(tx, { id: held.id, generation }, mails);
    });
  }

  /** `known` are emails that must not be fetched. */
  async renumber(held: LeasedImap, to: Numbering, known: readonly SeenMail[]): Promise<void> {
    await this.account(held).transaction(async (tx) => {
      requireLease(await renumberFolder(tx, held, to));
      recordSeen(tx, { id: held.id, generation: to.generation }, known);
    });
  }

  async endComparison(held: LeasedImap): Promise<void> {
    await this.account(held).transaction(async (tx) => {
      requireLease(await endComparison(tx, held));
      forgetSeen(tx, held.id);
    });
  }

  async settle(held: LeasedImap): Promise<void> {
    requireLease(await settleConnection(this.account(held), held));
  }

  knownHashes(held: LeasedImap, hashes: readonly string[]): Promise<Set<string>> {
    return findKnownHashes(this.account(held), held.id, hashes);
  }

  knownUids(held: LeasedImap, generation: number, uids: readonly number[]): Promise<Set<number>> {
    return findKnownUids(this.account(held), { id: held.id, generation }, uids);
  }

  async findImport(held: LeasedImap): Promise<ImapImport | null> {
    const found = await findImport(this.account(held), held.id);
    return found?.endedAt ? null : found;
  }

  async beginImport(running: HeldImport, folder: ImportedFolder): Promise<void> {
    requireImport(await beginImport(this.account(running.held), running, folder));
  }

  /** `passed` also counts emails that were received before. */
  async acceptImported(running: HeldImport, { mails, upTo }: FetchedBatch, passed: number): Promise<void> {
    const { held } = running;
    await this.account(held).transaction(async (tx) => {
      requireImport(await lockImport(tx, held));
      requireImport(await advanceImport(tx, running, { upTo, passed }));
      await this.insert(tx, held, mails, true);
    });
  }

  async endImport(running: HeldImport): Promise<void> {
    requireImport(await endImport(this.account(running.held), running));
  }

  failImport(running: HeldImport, release: ImapRelease): Promise<void> {
    return failImport(this.account(running.held), running, release);
  }

  countWaiting(held: LeasedImap): Promise<number> {
    return countWaiting(this.account(held), held.id);
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

function requireLease(isHeld: boolean): void {
  if (!isHeld) throw new LeaseLost();
}

function requireImport(isRunning: boolean): void {
  if (!isRunning) throw new ImportEnded();
}

/** Replaces times in the future or before 1970. */
function plausible(reported: Date, now: Date): Date {
  const time = reported.getTime();
  return Number.isNaN(time) || time < 0 || time > now.getTime() ? now : reported;
}
