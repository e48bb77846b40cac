import { type SystemConnection, systemStatement, uuidAt } from '#libs/database';

/** Longer than a hand-over takes. Shorter, the relay is woken in vain. */
const OVERDUE_EVENT_MS = 250;

/**
 * Each probe reads one row of an index, so a backlog costs nothing. Owed deliveries and waiting mails may be due later:
 * finding out takes a read for each webhook or mailbox, which is left to the loop.
 */
const FIND_WORK = systemStatement(
  'worker_pulse',
  'Workers serve all accounts',
  `select exists (select from outbox where event_id < $2) as events,
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
  'events' | 'deliveries' | 'replays' | 'inboundMails' | 'outboundMails' | 'imapMailboxes' | 'upkeep';

export async function findWork(db: SystemConnection, now: Date): Promise<WorkKind[]> {
  const overdue = uuidAt(new Date(now.getTime() - OVERDUE_EVENT_MS));
  const found = (await db.row<Record<WorkKind, boolean>>(FIND_WORK, [now, overdue]))!;
  return (Object.keys(found) as WorkKind[]).filter((kind) => found[kind]);
}
