import { networksOf } from '#libs/access';
import type { SMTPServerSession } from 'smtp-server';
import { OpenCounts } from '../http/open-counts.js';
import type { UncountedAddresses } from '../http/uncounted-addresses.js';
import { SmtpRefusal } from './smtp-refusal.js';

/** Servers open a few. A relay that opens more is named in TRUSTED_PROXIES. */
const MOST_OF_NETWORK = 10;
/** Who names so many addresses that are none is guessing. */
const MOST_REFUSED = 10;

interface Visit {
  readonly leave: () => void;
  refused: number;
}

/** Who is connected to the mail port. */
export class MailVisits {
  private readonly connections = new OpenCounts(MOST_OF_NETWORK);
  private readonly visits = new Map<string, Visit>();

  constructor(private readonly uncounted: UncountedAddresses) {}

  enter({ id, remoteAddress }: Pick<SMTPServerSession, 'id' | 'remoteAddress'>): void {
    const isCounted = !this.uncounted.has(remoteAddress);
    const leave = isCounted ? this.connections.enter(networksOf(remoteAddress)[0]) : () => undefined;
    if (!leave) throw new SmtpRefusal(421, 'Too many connections from your network, try again later');
    this.visits.set(id, { leave, refused: 0 });
  }

  /** 421 ends the connection. */
  noteRefusal({ id }: Pick<SMTPServerSession, 'id'>): void {
    const visit = this.visits.get(id);
    if (visit && ++visit.refused > MOST_REFUSED) throw new SmtpRefusal(421, 'Too many unknown recipients');
  }

  leave({ id }: Pick<SMTPServerSession, 'id'>): void {
    this.visits.get(id)?.leave();
    this.visits.delete(id);
  }
}
