import { type ImapMailsService, type ImapRelease, LeaseLost, type LeasedImap, type RenewedImap } from '#libs/mailboxes';
import type { ImapFlow } from 'imapflow';
import { wordsOf } from './connection-fault.js';
import type { ImapConnectionsService } from './imap-connections.service.js';
import { folderOf } from './imap-folder.js';
import type { MailboxImport } from './mailbox-import.js';
import { MailboxReading } from './mailbox-reading.js';
import { pauseAfter } from './next-connection.js';
import { StuckAtMail } from './taken-mails.js';

/** What came is looked for when the server says so, and this often in any case. */
const LOOK_EVERY_MS = 60_000;
const COMPARE_EVERY_MS = 600_000;
/** For each part of the work. A mail of 50 MiB fits in, over a slow line. */
const WITHIN_MS = 900_000;

/** One connection of one mailbox, for as long as it lasts and the lease is ours. */
export class MailboxSession {
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();
  private importing: Promise<void> | null = null;
  private client: ImapFlow | undefined;
  private wake: () => void = () => undefined;
  private news = false;
  private compareSince: Date | null;
  private compareAt: number;
  private received = 0;
  private heardAt: number | null = null;
  private settled = false;

  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly older: MailboxImport,
    readonly held: LeasedImap,
  ) {
    this.compareSince = held.compareSince;
    const age = held.comparedAt ? Date.now() - held.comparedAt.getTime() : 0;
    this.compareAt = performance.now() + COMPARE_EVERY_MS - Math.max(0, age);
  }

  /** Until the connection ends. Never rejects. */
  async run(): Promise<ImapRelease> {
    try {
      await this.work();
      return { pauseMs: 0, error: null, stuckUid: null };
    } catch (error) {
      return this.releaseAfter(error);
    } finally {
      this.client?.close();
      this.ending.abort();
      await this.importing;
    }
  }

  /** Somebody else has the mailbox, or shall have it. */
  stop(): void {
    this.stopping.abort();
    this.ending.abort();
    this.wake();
  }

  /** The lease was renewed, and a person may have asked for something. */
  renewed({ compareSince, hasImport }: RenewedImap): void {
    if (hasImport && this.settled && !this.ending.signal.aborted) this.importing ??= this.import();
    if (compareSince === null || this.compareSince !== null) return;
    this.compareSince = compareSince;
    this.wake();
  }

  /** How long ago anything came from the server. */
  get heardAgoMs(): number | null {
    const { received } = this.client?.stats() ?? { received: 0 };
    if (received !== this.received) this.heardAt = performance.now();
    this.received = received;
    return this.heardAt === null ? null : performance.now() - this.heardAt;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    const client = await this.connections.open(this.held, signal);
    this.client = client;
    client.on('exists', () => this.hear());
    client.on('close', () => this.wake());
    const reading = new MailboxReading(this.mails, folderOf(client, this.held), this.held);
    while (!signal.aborted && client.usable) {
      await this.look(reading);
      await this.rest(client);
    }
    if (!signal.aborted) throw Object.assign(new Error('closed'), { code: 'NoConnection' });
  }

  /** Beside what comes. What goes wrong there ends nothing here. */
  private async import(): Promise<void> {
    try {
      await this.older.run(this.ending.signal);
    } catch {
      // The database cannot be asked. It is tried again when the lease is renewed.
    } finally {
      this.importing = null;
    }
  }

  private async look(reading: MailboxReading): Promise<void> {
    // Opened anew now and then, since a server says only then that it numbers its mails anew.
    if (!this.news) this.compareSince = (await this.inTime(() => reading.open())) ?? this.compareSince;
    this.news = false;
    await this.inTime(() => reading.catchUp());
    if (this.isToCompare()) await this.compare(reading);
    if (!this.settled) await this.mails.settle(this.held);
    this.settled = true;
  }

  private async compare(reading: MailboxReading): Promise<void> {
    const since = this.compareSince;
    this.compareSince = null;
    this.compareAt = performance.now() + COMPARE_EVERY_MS;
    await this.inTime(() => reading.compare(since));
  }

  private isToCompare(): boolean {
    return this.compareSince !== null || performance.now() >= this.compareAt;
  }

  private hear(): void {
    this.news = true;
    this.wake();
  }

  private async rest(client: ImapFlow): Promise<void> {
    if (this.news || this.isToCompare() || this.stopping.signal.aborted || !client.usable) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** A server that sends a byte now and then is left. */
  private async inTime<T>(work: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.client?.close(), WITHIN_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  private releaseAfter(error: unknown): ImapRelease {
    if (this.stopping.signal.aborted || error instanceof LeaseLost) return { pauseMs: 0, error: null, stuckUid: null };
    const isStuck = error instanceof StuckAtMail;
    return {
      pauseMs: pauseAfter(this.settled ? 0 : this.held.tries),
      error: wordsOf(isStuck ? error.cause : error),
      stuckUid: isStuck ? error.uid : null,
    };
  }
}
