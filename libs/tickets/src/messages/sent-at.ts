import { InvalidField } from '#libs/entities';

/** Tolerates clocks that differ. */
const TOLERATED_MS = 5 * 60_000;

export function refuseFuture(sentAt: Date | undefined, now: Date): void {
  if (sentAt && sentAt.getTime() > now.getTime() + TOLERATED_MS)
    throw new InvalidField('sent_at', 'in_the_future', 'sent_at must not be in the future');
}
