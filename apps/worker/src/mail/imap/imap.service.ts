import { ImapLeasesService, type LeasedImap } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import type { MailboxSession } from './mailbox-session.js';
import { ImapSessionsService } from './imap-sessions.service.js';

const ROUND_MS = 3_000;
/** One that is idle costs a connection, and one that reads 20 beginnings of mails. */
const MAX_MAILBOXES = 200;
/** What nobody wants for so long, others have no room for. */
const UNWANTED_MS = 5_000;
/** Longer than a worker that is gone is counted among those that share. */
const SURPLUS_MS = 60_000;

/**
 * Holds a connection to the server of each mailbox that this worker has the lease of. Round trips when idle: PostgreSQL 1 in three
 * seconds, and 1 more where it holds some.
 */
@Injectable()
export class ImapService {
  private readonly sessions = new Map<MailboxSession, Promise<void>>();
  private surplusSince: number | null = null;
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('the leases of mailboxes could not be looked after', error),
    errorPauseMs: ROUND_MS,
  });

  constructor(
    private readonly leases: ImapLeasesService,
    private readonly made: ImapSessionsService,
    private readonly workers: LiveWorkersService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.loop.start();
  }

  /** Each is given back, so that another worker has it at once. */
  async stop(): Promise<void> {
    await this.loop.stop();
    for (const session of this.sessions.keys()) session.stop();
    await Promise.all(this.sessions.values());
  }

  private async round(): Promise<number> {
    await this.renew();
    const { total, free } = await this.leases.count();
    const share = Math.min(MAX_MAILBOXES, this.workers.shareOf(total));
    if (free > 0) await this.claim(share - this.sessions.size);
    this.giveUpSurplus(share);
    return ROUND_MS;
  }

  private async renew(): Promise<void> {
    const sessions = [...this.sessions.keys()];
    const held = sessions.map(({ held: { id, lease }, heardAgoMs }) => ({ id, lease, heardAgoMs }));
    const kept = await this.leases.renew(held);
    for (const session of sessions) {
      const renewed = kept.get(session.held.id);
      if (renewed === undefined) session.stop();
      else session.renewed(renewed);
    }
  }

  /** Each has its share. What the others do not take is held by those that are there. */
  private async claim(room: number): Promise<void> {
    const most = room > 0 ? room : MAX_MAILBOXES - this.sessions.size;
    if (most <= 0) return;
    for (const held of await this.leases.claim(most, { freeForMs: room > 0 ? 0 : UNWANTED_MS })) this.hold(held);
  }

  private hold(held: LeasedImap): void {
    const session = this.made.of(held);
    this.sessions.set(session, this.runAndRelease(session));
  }

  private async runAndRelease(session: MailboxSession): Promise<void> {
    const release = await session.run();
    try {
      await this.leases.release(session.held, release);
    } catch (error) {
      // Its lease ends by itself.
      this.telemetry.interrupted('a mailbox could not be given back', error);
    } finally {
      this.sessions.delete(session);
      if (release.error !== null) this.telemetry.mailboxFailed(session.held, release);
    }
  }

  private giveUpSurplus(share: number): void {
    const surplus = [...this.sessions.keys()].slice(share);
    if (surplus.length === 0) this.surplusSince = null;
    else this.surplusSince ??= performance.now();
    if (this.surplusSince === null || performance.now() - this.surplusSince < SURPLUS_MS) return;
    for (const session of surplus) session.stop();
    this.surplusSince = null;
  }
}
