import { setTimeout as delay } from 'node:timers/promises';
import type { ImapImport } from '#libs/entities';
import { type HeldImport, type ImapMailsService, ImportEnded, type LeasedImap } from '#libs/mailboxes';
import { releaseAfter } from './connection-fault.js';
import type { ImapConnectionsService } from './imap-connections.service.js';
import { ImapFolder } from './imap-folder.js';
import { MailFetcher } from './folder-reader.js';

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
    private readonly held: LeasedImap,
  ) {}

  /** Throws if the database is unavailable. */
  async run(signal: AbortSignal): Promise<void> {
    const pending = await this.mails.findImport(this.held);
    if (!pending) return;
    const running = { held: this.held, startedAt: pending.startedAt };
    try {
      await this.importMails(pending, running, signal);
    } catch (error) {
      if (signal.aborted || error instanceof ImportEnded) return;
      await this.mails.failImport(running, releaseAfter(error, pending.tries));
    }
  }

  private async importMails(pending: ImapImport, running: HeldImport, signal: AbortSignal): Promise<void> {
    const client = await this.connections.open(this.held, signal);
    try {
      const folder = new ImapFolder(client, this.held.folder);
      const { from, to } = await this.rangeLeft(pending, running, folder);
      const fetcher = new MailFetcher(this.mails, folder, this.held);
      for await (const uids of searchWindows(folder, from, to, pending.since))
        for (const some of fetcher.batches(uids, pending, AT_ONCE)) {
          await this.waitForProcessing(signal);
          const mails = await fetcher.fetch(some, pending, 'received');
          const batch = { mails, upTo: some.at(-1)! };
          await fetcher.accept(mails, () => this.mails.acceptImported(running, batch, some.length));
          Object.assign(pending, { tries: 0, stuckUid: null, stuckTries: 0 });
        }
      await this.mails.endImport(running);
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
    await this.mails.beginImport(running, { uidValidity, endUid: uidNext - 1, total });
    return { from: 1, to: uidNext - 1 };
  }

  private async waitForProcessing(signal: AbortSignal): Promise<void> {
    while ((await this.mails.countWaiting(this.held)) >= AT_ONCE) await delay(WAIT_MS, undefined, { signal });
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
