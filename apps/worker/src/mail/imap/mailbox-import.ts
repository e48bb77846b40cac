import { setTimeout as delay } from 'node:timers/promises';
import type { ImapImport } from '#libs/entities';
import {
  type HeldImport,
  type ImapMailsService,
  ImportEnded,
  type LeasedImap,
  type OlderMailsService,
} from '#libs/mailboxes';
import { wordsOf } from './connection-fault.js';
import { FetchedMails } from './fetched-mails.js';
import type { ImapConnectionsService } from './imap-connections.service.js';
import { type ImapFolder, folderOf } from './imap-folder.js';
import { pauseAfter } from './next-connection.js';
import { StuckAtMail } from './taken-mails.js';

/** Mails that are fetched at once, and that may wait to be understood: what comes meanwhile waits for no more than twice as many. */
const AT_ONCE = 10;
const WAIT_MS = 200;
/** Of numbers, so that what a server finds among them is a short answer. */
const WINDOW = 10_000;

/** Brings in the older mail of a folder, over a connection of its own, so that what comes meanwhile does not wait for it. */
export class MailboxImport {
  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly older: OlderMailsService,
    private readonly held: LeasedImap,
  ) {}

  /** Until it is done, or its connection ends. Where the database cannot be asked, the lease ends, and another worker begins. */
  async run(signal: AbortSignal): Promise<void> {
    const wanted = await this.older.find(this.held);
    if (!wanted) return;
    const taken = { held: this.held, startedAt: wanted.startedAt };
    try {
      await this.bring(wanted, taken, signal);
    } catch (error) {
      if (signal.aborted || error instanceof ImportEnded) return;
      const isStuck = error instanceof StuckAtMail;
      await this.older.fail(taken, {
        pauseMs: pauseAfter(wanted.tries),
        error: wordsOf(isStuck ? error.cause : error),
        stuckUid: isStuck ? error.uid : null,
      });
    }
  }

  private async bring(wanted: ImapImport, taken: HeldImport, signal: AbortSignal): Promise<void> {
    const client = await this.connections.open(this.held, signal);
    try {
      const folder = folderOf(client, this.held);
      const { from, to } = await this.counted(wanted, taken, folder);
      const fetched = new FetchedMails(this.mails, folder, this.held);
      for await (const uids of found(folder, from, to, wanted.since))
        for (const some of fetched.batches(uids, wanted, AT_ONCE)) {
          await this.untilUnderstood(taken, signal);
          const mails = await fetched.take(some, wanted, 'arrived');
          await this.accept(taken, { mails, upTo: some.at(-1)!, passed: some.length });
          Object.assign(wanted, { tries: 0, stuckUid: null, stuckTries: 0 });
        }
      await this.older.end(taken);
    } finally {
      client.close();
    }
  }

  /** Where to go on. A server that numbers its mails anew has them looked at again from the beginning. */
  private async counted(
    wanted: ImapImport,
    taken: HeldImport,
    folder: ImapFolder,
  ): Promise<{ from: number; to: number }> {
    const { uidValidity, uidNext } = await folder.open();
    if (wanted.uidValidity === uidValidity) return { from: Number(wanted.lastUid) + 1, to: Number(wanted.endUid) };
    let total = 0;
    for await (const uids of found(folder, 1, uidNext - 1, wanted.since)) total += uids.length;
    await this.older.begin(taken, { uidValidity, endUid: uidNext - 1, total });
    return { from: 1, to: uidNext - 1 };
  }

  private async accept(taken: HeldImport, batch: Parameters<OlderMailsService['accept']>[1]): Promise<void> {
    try {
      await this.older.accept(taken, batch);
    } catch (error) {
      await this.mails.discard(this.held, batch.mails);
      throw error;
    }
  }

  private async untilUnderstood(taken: HeldImport, signal: AbortSignal): Promise<void> {
    while ((await this.older.waiting(taken)) >= AT_ONCE) await delay(WAIT_MS, undefined, { signal });
  }
}

async function* found(
  folder: ImapFolder,
  from: number,
  to: number,
  since: Date | null,
): AsyncGenerator<readonly number[]> {
  for (let first = from; first <= to; first += WINDOW)
    yield await folder.uidsWithin(first, Math.min(first + WINDOW - 1, to), since);
}
