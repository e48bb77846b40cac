import { type SystemConnection, later, systemStatement, uuidAt } from '#libs/database';
import { LATE_AFTER_MS, RELAYED } from '#libs/delivery';

/**
 * Each probe reads one row of an index, so a backlog costs nothing. Owed deliveries and waiting emails may be due later:
 * finding out takes a read for each webhook or mailbox, which is left to the loop.
 */
const FIND_WORK = systemStatement(
  'pulse_find_work',
  'Workers serve all accounts',
  `select exists (select from outbox where express and event_id < $2)
       or exists (select from outbox where ${RELAYED} and event_id < $2) as events,
     exists (select from owed_deliveries) as deliveries,
     exists (select from replays where finished_at is null and next_step_at <= $1) as replays,
     exists (select from arrivals where state = 'waiting' and due_at <= $1) as "inboundMails",
     exists (select from outgoing_mails where state = 'queued' and handed_over_at is null)
       or exists (select from outgoing_mails where state = 'queued' and handed_over_at is not null and due_at <= $1)
       as "outboundMails",
     exists (select from imap_accounts where not paused) as "imapMailboxes",
     exists (select from upkeep_tasks where due_at <= $1) as upkeep`,
);

export type WorkKind =
  | 'events'
  | 'deliveries'
  | 'replays'
  | 'inboundMails'
  | 'outboundMails'
  | 'imapMailboxes'
  | 'upkeep';

export async function findWork(db: SystemConnection, now: Date): Promise<WorkKind[]> {
  const late = uuidAt(later(now, -LATE_AFTER_MS));
  const found = (await db.row<Record<WorkKind, boolean>>(FIND_WORK, [now, late]))!;
  return (Object.keys(found) as WorkKind[]).filter((kind) => found[kind]);
}
