import type { SMTPServerSession } from 'smtp-server';
import { OpenCounts, type UncountedAddresses } from '../layers/edge/address-counts.js';
import { type SmtpConnection, endSession, guardCommands } from './smtp-internals.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** A relay that opens more is listed in TRUSTED_PROXIES. */
const MAX_OF_NETWORK = 10;
/** A client that names more unknown addresses is guessing. */
const MAX_REFUSED_RECIPIENTS = 10;

/** `maxIdleMs` is from the greeting, or the end of an email, to the next DATA. Mail servers send the envelope in seconds. */
export const SMTP_SESSION_LIMITS = { maxSessions: 200, maxIdleMs: 5 * 60_000, maxIdleCommands: 20 };

export type SmtpSessionLimits = typeof SMTP_SESSION_LIMITS;

type SessionKey = Pick<SMTPServerSession, 'id' | 'remoteAddress'>;

interface OpenSession {
  readonly connection: SmtpConnection;
  readonly leaveNetwork: () => void;
  timer?: NodeJS.Timeout;
  isSending: boolean;
  refusedRecipients: number;
  idleCommands: number;
}

/** A session is idle while it is not in DATA. */
export class SmtpSessions {
  private readonly connections = new OpenCounts(MAX_OF_NETWORK);
  private readonly sessions = new Map<string, OpenSession>();
  /** The longest idle first. */
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

  noteRefusal({ id }: SessionKey): void {
    const session = this.sessions.get(id);
    if (session && ++session.refusedRecipients > MAX_REFUSED_RECIPIENTS)
      throw new SmtpRefusal(421, 'Too many unknown recipients');
  }

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

  private waitForMail(session: OpenSession): void {
    this.places.delete(session);
    this.places.add(session);
    const seconds = this.limits.maxIdleMs / 1000;
    const end = () => this.end(session, `No message within ${seconds} seconds, closing connection`);
    session.timer = setTimeout(end, this.limits.maxIdleMs).unref();
  }

  private limitIdleCommands(session: OpenSession): void {
    guardCommands(session.connection, () => {
      const isAllowed = ++session.idleCommands <= this.limits.maxIdleCommands;
      if (!isAllowed) this.end(session, 'Too many commands without a message');
      return isAllowed;
    });
  }

  private evictOldestIdle(): boolean {
    for (const session of this.places) {
      if (session.isSending) continue;
      this.end(session, 'Too many connections and this one is idle, try again later');
      return true;
    }
    return false;
  }

  private end(session: OpenSession, sentence: string): void {
    this.giveUpPlace(session);
    endSession(session.connection, sentence);
  }

  /** The network keeps its count until the socket has closed. */
  private giveUpPlace(session: OpenSession): void {
    clearTimeout(session.timer);
    this.places.delete(session);
  }
}
