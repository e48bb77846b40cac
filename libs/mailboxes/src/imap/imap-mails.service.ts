import { createHash } from 'node:crypto';
import { Clock, Database } from '#libs/database';
import { FilesService, SizeLimitedContent } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { insertArrival } from '../inbound/arrival.statements.js';
import { MAX_MAIL_BYTES } from '../inbound/mail-size.js';
import { type KeptMail, fetchedArrival } from './fetched-arrival.js';
import type { LeasedImap } from './imap-leases.service.js';
import {
  type NotedMail,
  type Numbering,
  endComparison,
  knownHashes,
  knownUids,
  moveTo,
  noteMails,
  renumber,
  settle,
} from './imap-progress.statements.js';

/** The server has more bytes of it than are taken. */
export class MailTooLarge extends Error {}

/** A mail of a server: what was kept of it, unless it is known already. */
export interface BroughtMail extends NotedMail {
  readonly kept: KeptMail | null;
  /** As the server says. */
  readonly receivedAt: Date | null;
}

/** Accepts what a server has. Whatever is written is written under the lease of the mailbox. */
@Injectable()
export class ImapMailsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly files: FilesService,
  ) {}

  async keep({ accountId }: LeasedImap, bytes: AsyncIterable<Uint8Array>): Promise<KeptMail> {
    const hash = createHash('sha256');
    const content = new SizeLimitedContent(hashed(bytes, hash), refuseLarge);
    const id = await this.files.save(accountId, content);
    return { id, size: content.size, hash: hash.digest('hex') };
  }

  async discard({ accountId }: LeasedImap, mails: readonly BroughtMail[]): Promise<void> {
    const ids = mails.flatMap(({ kept }) => (kept ? [kept.id] : []));
    await this.files.discard(accountId, ids).catch(() => undefined);
  }

  /** One transaction: the mails are arrivals, and the place up to which the server was read has moved. */
  async accept(
    held: LeasedImap,
    generation: number,
    { mails, upTo }: { readonly mails: readonly BroughtMail[]; readonly upTo: number },
  ): Promise<void> {
    await this.database.account(held.accountId).transaction(async (tx) => {
      await moveTo(tx, held, upTo);
      const at = { now: this.clock.now(), receivedAt: null };
      await Promise.all(mails.flatMap(({ kept }) => (kept ? [insertArrival(tx, fetchedArrival(held, kept, at))] : [])));
      noteMails(tx, held, generation, mails);
    });
  }

  /** The server numbers its mails anew, or was never read: these are known. */
  async renumber(held: LeasedImap, to: Numbering, known: readonly NotedMail[]): Promise<void> {
    await this.database.account(held.accountId).transaction(async (tx) => {
      await renumber(tx, held, to);
      noteMails(tx, held, to.generation, known);
    });
  }

  async endComparison(held: LeasedImap): Promise<void> {
    await this.database.account(held.accountId).transaction((tx) => endComparison(tx, held));
  }

  /** All that the server had is here. */
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
  if (size > MAX_MAIL_BYTES) throw new MailTooLarge();
}
