import { setTimeout as delay } from 'node:timers/promises';
import type { ImapImport } from '#libs/entities';
import {
  type HeldImport,
  type ImapImportProgressService,
  type ImapMailsService,
  ImportEnded,
  type LeasedImap,
} from '#libs/mailboxes';
import { describeFault } from './connection-fault.js';
import type { ImapConnectionsService } from './imap-connections.service.js';
import { type ImapFolder, folderOf } from './imap-folder.js';
import { MailFetcher } from './mail-fetcher.js';
import { pauseAfter } from './next-connection.js';
import { StuckAtMail } from './stored-batch.js';

/** New mail waits for at most twice as many. */
const AT_ONCE = 10;
const WAIT_MS = 200;
/** Bounds the server’s response. */
const WINDOW = 10_000;

/** Uses its own connection, so that new mail does not wait. */
export class MailboxImport {
  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly progress: ImapImportProgressService,
    private readonly held: LeasedImap,
  ) {}

  /** Throws if the database is unavailable. */
  async run(signal: AbortSignal): Promise<void> {
    const pending = await this.progress.find(this.held);
    if (!pending) return;
    const running = { held: this.held, startedAt: pending.startedAt };
    try {
      await this.importMails(pending, running, signal);
    } catch (error) {
      if (signal.aborted || error instanceof ImportEnded) return;
      const isStuck = error instanceof StuckAtMail;
      await this.progress.fail(running, {
        pauseMs: pauseAfter(pending.tries),
        error: describeFault(isStuck ? error.cause : error),
        stuckUid: isStuck ? error.uid : null,
      });
    }
  }

  private async importMails(pending: ImapImport, running: HeldImport, signal: AbortSignal): Promise<void> {
    const client = await this.connections.open(this.held, signal);
    try {
      const folder = folderOf(client, this.held);
      const { from, to } = await this.rangeLeft(pending, running, folder);
      const fetcher = new MailFetcher(this.mails, folder, this.held);
      for await (const uids of searchWindows(folder, from, to, pending.since))
        for (const some of fetcher.batches(uids, pending, AT_ONCE)) {
          await this.waitForProcessing(running, signal);
          const mails = await fetcher.fetch(some, pending, 'received');
          await this.accept(running, { mails, upTo: some.at(-1)!, passed: some.length });
          Object.assign(pending, { tries: 0, stuckUid: null, stuckTries: 0 });
        }
      await this.progress.end(running);
    } finally {
      client.close();
    }
  }

  /** A renumbering restarts the import. */
  private async rangeLeft(
    pending: ImapImport,
    running: HeldImport,
    folder: ImapFolder,
  ): Promise<{ from: number; to: number }> {
    const { uidValidity, uidNext } = await folder.open();
    if (pending.uidValidity === uidValidity) return { from: Number(pending.lastUid) + 1, to: Number(pending.endUid) };
    let total = 0;
    for await (const uids of searchWindows(folder, 1, uidNext - 1, pending.since)) total += uids.length;
    await this.progress.begin(running, { uidValidity, endUid: uidNext - 1, total });
    return { from: 1, to: uidNext - 1 };
  }

  private async accept(running: HeldImport, batch: Parameters<ImapImportProgressService['accept']>[1]): Promise<void> {
    try {
      await this.progress.accept(running, batch);
    } catch (error) {
      await this.mails.discard(this.held, batch.mails);
      throw error;
    }
  }

  private async waitForProcessing(running: HeldImport, signal: AbortSignal): Promise<void> {
    while ((await this.progress.countWaiting(running)) >= AT_ONCE) await delay(WAIT_MS, undefined, { signal });
  }
}

async function* searchWindows(
  folder: ImapFolder,
  from: number,
  to: number,
  since: Date | null,
): AsyncGenerator<readonly number[]> {
  for (let first = from; first <= to; first += WINDOW)
    yield await folder.uidsWithin(first, Math.min(first + WINDOW - 1, to), since);
}
