import { Arrival } from '#libs/entities';
import type { LeasedImap } from './imap-leases.service.js';

/** The bytes of a mail that are kept, and no arrival yet. */
export interface KeptMail {
  readonly id: string;
  readonly size: number;
  readonly hash: string;
}

interface FetchedAt {
  readonly now: Date;
  /** When the server got it, of a mail that is older than the mailbox. */
  readonly receivedAt: Date | null;
}

export function fetchedArrival(
  { id: mailboxId, accountId }: LeasedImap,
  kept: KeptMail,
  { now, receivedAt }: FetchedAt,
): Arrival {
  const envelope = { source: 'imap' as const, envelopeFrom: null, envelopeTo: null };
  const times = { createdAt: now, receivedAt: receivedAt && possible(receivedAt, now) };
  return Object.assign(new Arrival(), { ...kept, ...envelope, ...times, accountId, mailboxId });
}

/** Servers say what they like. Nothing is from the future, and nothing from before there was mail. */
function possible(said: Date, now: Date): Date {
  const time = said.getTime();
  return Number.isNaN(time) || time < 0 || time > now.getTime() ? now : said;
}
