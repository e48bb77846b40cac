import type { SMTPServerSession } from 'smtp-server';
import { OpenCounts, type UncountedAddresses } from '../edge/address-counts.js';
import { type SmtpConnection, endSession, guardCommands } from './smtp-internals.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** Mail servers open a few. The operator lists a relay that opens more in TRUSTED_PROXIES. */
const MAX_OF_NETWORK = 10;
/** A client that names more unknown addresses is guessing. */
const MAX_REFUSED_RECIPIENTS = 10;

export interface SmtpSessionLimits {
  /** Sessions of one port. When all are taken, the longest idle one is ended. */
  readonly maxSessions: number;
  /** From the greeting, or the end of a mail, to the next DATA. */
  readonly maxIdleMs: number;
  /** Commands in that time that send no mail. */
  readonly maxIdleCommands: number;
}

/** RFC 5321 section 4.5.3.2 suggests five minutes between commands. Mail servers send the whole envelope in seconds. */
export const SMTP_SESSION_LIMITS: SmtpSessionLimits = {
  maxSessions: 200,
  maxIdleMs: 5 * 60_000,
  maxIdleCommands: 20,
};

type SessionKey = Pick<SMTPServerSession, 'id' | 'remoteAddress'>;

interface OpenSession {
  readonly connection: SmtpConnection;
  readonly leaveNetwork: () => void;
  timer?: NodeJS.Timeout;
  isSending: boolean;
  refusedRecipients: number;
  idleCommands: number;
}

/** Limits the sessions of a mail port. A session is idle while it is not in DATA. */
export class SmtpSessions {
  private readonly connections = new OpenCounts(MAX_OF_NETWORK);
  /** By session id, until the connection has closed. */
  private readonly sessions = new Map<string, OpenSession>();
  /** Sessions that hold a place, the longest idle first. */
  private readonly places = new Set<OpenSession>();

  constructor(
    private readonly uncounted: UncountedAddresses,
    private readonly limits = SMTP_SESSION_LIMITS,
  ) {}

  enter({ id, remoteAddress }: SessionKey, connection: SmtpConnection): void {
    const leaveNetwork = this.uncounted.has(remoteAddress) ? () => undefined : this.connections.enter(remoteAddress);
    if (!leaveNetwork) throw new SmtpRefusal(421, 'Too many connections from your network, try again later');
    if (this.places.size >= this.limits.maxSessions && !this.evictOldestIdle()) {
      leaveNetwork();
      throw new SmtpRefusal(421, 'Too many connected clients, try again in a moment');
    }
    const session = { connection, leaveNetwork, isSending: false, refusedRecipients: 0, idleCommands: 0 };
    this.sessions.set(id, session);
    this.limitIdleCommands(session);
    this.waitForMail(session);
  }

  /** Counts a refused recipient. 421 ends the connection. */
  noteRefusal({ id }: SessionKey): void {
    const session = this.sessions.get(id);
    if (session && ++session.refusedRecipients > MAX_REFUSED_RECIPIENTS)
      throw new SmtpRefusal(421, 'Too many unknown recipients');
  }

  /** Returns a function to call when the mail has been answered. */
  beginMail({ id }: SessionKey): () => void {
    const session = this.sessions.get(id);
    if (!session) return () => undefined;
    session.isSending = true;
    clearTimeout(session.timer);
    return () => {
      session.isSending = false;
      session.idleCommands = 0;
      if (this.places.has(session)) this.waitForMail(session);
    };
  }

  leave({ id }: SessionKey): void {
    const session = this.sessions.get(id);
    if (!session) return;
    this.giveUpPlace(session);
    session.leaveNetwork();
    this.sessions.delete(id);
  }

  /** Adds the session at the end of the places, or moves it there. */
  private waitForMail(session: OpenSession): void {
    this.places.delete(session);
    this.places.add(session);
    const seconds = this.limits.maxIdleMs / 1000;
    const end = () => this.end(session, `No mail within ${seconds} seconds, closing connection`);
    session.timer = setTimeout(end, this.limits.maxIdleMs).unref();
  }

  private limitIdleCommands(session: OpenSession): void {
    guardCommands(session.connection, () => {
      const isAllowed = ++session.idleCommands <= this.limits.maxIdleCommands;
      if (!isAllowed) this.end(session, 'Too many commands without a mail');
      return isAllowed;
    });
  }

  private evictOldestIdle(): boolean {
    for (const session of this.places) {
      if (session.isSending) continue;
      this.end(session, 'All connections are taken and this one sends no mail, try again later');
      return true;
    }
    return false;
  }

  private end(session: OpenSession, sentence: string): void {
    this.giveUpPlace(session);
    endSession(session.connection, sentence);
  }

  /** The connection counts for its network until the socket has closed. */
  private giveUpPlace(session: OpenSession): void {
    clearTimeout(session.timer);
    this.places.delete(session);
  }
}
