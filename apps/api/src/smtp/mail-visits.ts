import type { SMTPServerSession } from 'smtp-server';
import type { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';
import { OpenCounts } from '../edge/open-counts.js';
import type { UncountedAddresses } from '../edge/uncounted-addresses.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** Servers open a few. A relay that opens more is named in TRUSTED_PROXIES. */
const MAX_OF_NETWORK = 10;
/** A client that names more unknown addresses is guessing. */
const MAX_REFUSED_RECIPIENTS = 10;

/** Commands that send no mail. A session that reuses its connection needs two or three of them for each mail. */
const WITHOUT_MAIL = [
  'handler_NOOP',
  'handler_RSET',
  'handler_VRFY',
  'handler_HELP',
  'handler_EHLO',
  'handler_HELO',
  'handler_MAIL',
] as const;

export interface MailVisitLimits {
  /** Sessions of one port. When all are taken, the longest idle one makes room. */
  readonly maxSessions: number;
  /** From the greeting, or the end of a mail, to the next DATA. */
  readonly maxIdleMs: number;
  /** Commands in that time that send no mail. */
  readonly maxIdleCommands: number;
}

/** RFC 5321, 4.5.3.2 lets a server wait five minutes for the next command. Mail servers send the whole envelope in seconds. */
export const MAIL_VISIT_LIMITS: MailVisitLimits = {
  maxSessions: 200,
  maxIdleMs: 5 * 60_000,
  maxIdleCommands: 20,
};

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>;
type Connection = Pick<SMTPConnection, 'send' | (typeof WITHOUT_MAIL)[number]>;

interface Visit {
  readonly connection: Connection;
  readonly leaveNetwork: () => void;
  timer?: NodeJS.Timeout;
  isSending: boolean;
  refusedRecipients: number;
  idleCommands: number;
}

/** The sessions of a mail port, and which of them may stay. A session is idle while it is not in DATA. */
export class MailVisits {
  private readonly connections = new OpenCounts(MAX_OF_NETWORK);
  /** By session, until its connection has closed. */
  private readonly visits = new Map<string, Visit>();
  /** Visits that hold a place, the longest idle first. */
  private readonly places = new Set<Visit>();

  constructor(
    private readonly uncounted: UncountedAddresses,
    private readonly limits = MAIL_VISIT_LIMITS,
  ) {}

  enter({ id, remoteAddress }: Session, connection: Connection): void {
    const leaveNetwork = this.uncounted.has(remoteAddress) ? () => undefined : this.connections.enter(remoteAddress);
    if (!leaveNetwork) throw new SmtpRefusal(421, 'Too many connections from your network, try again later');
    if (this.places.size >= this.limits.maxSessions && !this.evictOldestIdle()) {
      leaveNetwork();
      throw new SmtpRefusal(421, 'Too many connected clients, try again in a moment');
    }
    const visit = { connection, leaveNetwork, isSending: false, refusedRecipients: 0, idleCommands: 0 };
    this.visits.set(id, visit);
    this.countIdleCommands(visit);
    this.waitForMail(visit);
  }

  /** 421 ends the connection. */
  noteRefusal({ id }: Session): void {
    const visit = this.visits.get(id);
    if (visit && ++visit.refusedRecipients > MAX_REFUSED_RECIPIENTS)
      throw new SmtpRefusal(421, 'Too many unknown recipients');
  }

  /** Returns a function to call when the mail has been answered. */
  beginMail({ id }: Session): () => void {
    const visit = this.visits.get(id);
    if (!visit) return () => undefined;
    visit.isSending = true;
    clearTimeout(visit.timer);
    return () => {
      visit.isSending = false;
      visit.idleCommands = 0;
      if (this.places.has(visit)) this.waitForMail(visit);
    };
  }

  leave({ id }: Session): void {
    const visit = this.visits.get(id);
    if (!visit) return;
    this.giveUpPlace(visit);
    visit.leaveNetwork();
    this.visits.delete(id);
  }

  /** Adds the visit at the end, or moves it there. */
  private waitForMail(visit: Visit): void {
    this.places.delete(visit);
    this.places.add(visit);
    const seconds = this.limits.maxIdleMs / 1000;
    const end = () => this.end(visit, `No mail within ${seconds} seconds, closing connection`);
    visit.timer = setTimeout(end, this.limits.maxIdleMs).unref();
  }

  private countIdleCommands(visit: Visit): void {
    const { connection } = visit;
    for (const name of WITHOUT_MAIL) {
      const handle = connection[name];
      connection[name] = (command, done) => {
        if (++visit.idleCommands > this.limits.maxIdleCommands) this.end(visit, 'Too many commands without a mail');
        else handle.call(connection, command, done);
      };
    }
  }

  private evictOldestIdle(): boolean {
    for (const visit of this.places) {
      if (visit.isSending) continue;
      this.end(visit, 'All connections are taken and this one sends no mail, try again later');
      return true;
    }
    return false;
  }

  private end(visit: Visit, sentence: string): void {
    this.giveUpPlace(visit);
    visit.connection.send(421, sentence);
  }

  /** The network keeps its count until the socket has closed. */
  private giveUpPlace(visit: Visit): void {
    clearTimeout(visit.timer);
    this.places.delete(visit);
  }
}
