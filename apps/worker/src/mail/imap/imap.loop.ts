import { ImapLeasesService, ImapMailsService } from '#libs/mailboxes';
import { Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../../live-workers.service.js';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { ImapConnectionsService } from './imap-connections.service.js';
import { MailboxSession } from './mailbox-session.js';

const ROUND_MS = 3_000;
/** An idle mailbox costs a connection, an active one the beginnings of 20 emails. */
const MAX_MAILBOXES = 200;
/** Mailboxes free for longer exceed the shares of other workers. */
const UNCLAIMED_MS = 5_000;
/** A stopped worker counts as live for less time. */
const SURPLUS_MS = 60_000;

/** Round trips: PostgreSQL 1 in three seconds, and 1 more to renew leases. None without mailboxes. */
@Injectable()
export class ImapLoop {
  private readonly sessions = new Map<MailboxSession, Promise<void>>();
  private hasMailboxes = false;
  private surplusSince: number | null = null;
  private readonly rounds = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('the leases of mailboxes could not be renewed', error),
  });
  /** While there are mailboxes, rounds keep their pace. */
  readonly loop = { wake: () => this.hasMailboxes || this.rounds.wake() };

  constructor(
    private readonly leases: ImapLeasesService,
    private readonly connections: ImapConnectionsService,
    private readonly mails: ImapMailsService,
    private readonly workers: LiveWorkersService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  start(): void {
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
    for (const session of this.sessions.keys()) session.stop();
    await Promise.all(this.sessions.values());
  }

  private async round(): Promise<number> {
    await this.renew();
    const { total, free } = await this.leases.count();
    const share = Math.min(MAX_MAILBOXES, this.workers.shareOf(total));
    if (free > 0) await this.claim(share - this.sessions.size);
    this.releaseSurplus(share);
    this.hasMailboxes = total + this.sessions.size > 0;
    return this.hasMailboxes ? ROUND_MS : UNTIL_WOKEN;
  }

  private async renew(): Promise<void> {
    const sessions = [...this.sessions.keys()];
    const held = sessions.map(({ held: { id, lease }, lastResponseAgoMs }) => ({ id, lease, lastResponseAgoMs }));
    const kept = await this.leases.renew(held);
    for (const session of sessions) {
      const renewed = kept.get(session.held.id);
      if (renewed === undefined) session.stop();
      else session.renewed(renewed);
    }
  }

  private async claim(room: number): Promise<void> {
    const limit = room > 0 ? room : MAX_MAILBOXES - this.sessions.size;
    if (limit <= 0) return;
    for (const held of await this.leases.claim(limit, { freeForMs: room > 0 ? 0 : UNCLAIMED_MS })) {
      const session = new MailboxSession(this.connections, this.mails, held);
      this.sessions.set(session, this.runAndRelease(session));
    }
  }

  private async runAndRelease(session: MailboxSession): Promise<void> {
    const release = await session.run();
    try {
      await this.leases.release(session.held, release);
    } catch (error) {
      // The lease expires.
      this.telemetry.interrupted('a mailbox could not be released', error);
    } finally {
      this.sessions.delete(session);
      if (release.error !== null) this.telemetry.mailboxFailed(session.held, release);
    }
  }

  private releaseSurplus(share: number): void {
    const surplus = [...this.sessions.keys()].slice(share);
    if (surplus.length === 0) this.surplusSince = null;
    else this.surplusSince ??= performance.now();
    if (this.surplusSince === null || performance.now() - this.surplusSince < SURPLUS_MS) return;
    for (const session of surplus) session.stop();
    this.surplusSince = null;
  }
}
