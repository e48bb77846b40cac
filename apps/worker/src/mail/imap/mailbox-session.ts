import { type ImapMailsService, type ImapRelease, LeaseLost, type LeasedImap, type RenewedImap } from '#libs/mailboxes';
import type { ImapFlow } from 'imapflow';
import { isLostConnection, releaseAfter } from './connection-fault.js';
import type { ImapConnectionsService } from './imap-connections.service.js';
import { FolderReader } from './folder-reader.js';
import { ImapFolder } from './imap-folder.js';
import { MailboxImport } from './mailbox-import.js';

/** Some servers do not notify. */
const CHECK_INTERVAL_MS = 60_000;
const COMPARE_INTERVAL_MS = 600_000;

const RELEASED: ImapRelease = { pauseMs: 0, error: null, stuckUid: null };

export class MailboxSession {
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();
  private importing: Promise<void> | null = null;
  private client: ImapFlow | undefined;
  private wake: () => void = () => undefined;
  private hasNewMail = false;
  private compareSince: Date | null;
  private compareAt: number;
  private received = 0;
  private lastResponseAt: number | null = null;
  private settled = false;

  constructor(
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    readonly held: LeasedImap,
  ) {
    this.compareSince = held.compareSince;
    const age = held.comparedAt ? Date.now() - held.comparedAt.getTime() : 0;
    this.compareAt = performance.now() + COMPARE_INTERVAL_MS - Math.max(0, age);
  }

  /** Never rejects. */
  async run(): Promise<ImapRelease> {
    try {
      await this.work();
      return RELEASED;
    } catch (error) {
      return this.releaseAfter(error);
    } finally {
      this.client?.close();
      this.ending.abort();
      await this.importing;
    }
  }

  stop(): void {
    this.stopping.abort();
    this.ending.abort();
    this.wake();
  }

  renewed({ compareSince, hasImport }: RenewedImap): void {
    if (hasImport && this.settled && !this.ending.signal.aborted) this.importing ??= this.import();
    if (compareSince === null || this.compareSince !== null) return;
    this.compareSince = compareSince;
    this.wake();
  }

  get lastResponseAgoMs(): number | null {
    const { received } = this.client?.stats() ?? { received: 0 };
    if (received !== this.received) this.lastResponseAt = performance.now();
    this.received = received;
    return this.lastResponseAt === null ? null : performance.now() - this.lastResponseAt;
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    const client = await this.connections.open(this.held, signal);
    this.client = client;
    client.on('exists', () => this.notify());
    client.on('close', () => this.wake());
    let fault: unknown = Object.assign(new Error('closed'), { code: 'NoConnection' });
    client.on('error', (error) => (fault = error));
    const reader = new FolderReader(this.mails, new ImapFolder(client, this.held.folder), this.held);
    try {
      while (!signal.aborted && client.usable) {
        await this.fetchMail(reader);
        await this.waitForMail(client);
      }
    } catch (error) {
      // The command that waited for a response does not name the reason.
      throw isLostConnection(error) ? fault : error;
    }
    if (!signal.aborted) throw fault;
  }

  /** Its errors do not end the session. */
  private async import(): Promise<void> {
    try {
      await new MailboxImport(this.connections, this.mails, this.held).run(this.ending.signal);
    } catch {
      // The database is unavailable. The next renewal retries the import.
    } finally {
      this.importing = null;
    }
  }

  private async fetchMail(reader: FolderReader): Promise<void> {
    // A server reports a renumbering only when the folder is opened.
    if (!this.hasNewMail) this.compareSince = (await reader.open()) ?? this.compareSince;
    this.hasNewMail = false;
    await reader.catchUp();
    if (this.mustCompare()) await this.compare(reader);
    if (!this.settled) await this.mails.settle(this.held);
    this.settled = true;
  }

  private async compare(reader: FolderReader): Promise<void> {
    const since = this.compareSince;
    this.compareSince = null;
    this.compareAt = performance.now() + COMPARE_INTERVAL_MS;
    await reader.compare(since);
  }

  private mustCompare(): boolean {
    return this.compareSince !== null || performance.now() >= this.compareAt;
  }

  private notify(): void {
    this.hasNewMail = true;
    this.wake();
  }

  private async waitForMail(client: ImapFlow): Promise<void> {
    if (this.hasNewMail || this.mustCompare() || this.stopping.signal.aborted || !client.usable) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CHECK_INTERVAL_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private releaseAfter(error: unknown): ImapRelease {
    if (this.stopping.signal.aborted || error instanceof LeaseLost) return RELEASED;
    return releaseAfter(error, this.settled ? 0 : this.held.tries);
  }
}
