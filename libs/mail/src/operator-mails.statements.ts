import { type SystemConnection, systemStatement } from '#libs/database';

const REASON = 'The operator sees the mails of every account';

const SHOW_OUTGOING_MAIL = systemStatement(
  'operator_outgoing_mail_show',
  REASON,
  `select 'out' as direction, o.id, a.name as account, m.name as mailbox, t.number as ticket, o.kind, o.state, o.reason, o.recipient,
     o.tries, o.queued_at as "queuedAt", case when o.state = 'queued' then o.due_at end as "dueAt", o.ended_at as "endedAt"
   from outgoing_mails o join accounts a on a.id = o.account_id left join messages s on s.id = coalesce(o.message_id, o.copy_of)
     left join tickets t on t.id = s.ticket_id left join mailboxes m on m.id = t.mailbox_id
   where o.id = $1 or o.message_id = $1 or o.copy_of = $1
   order by o.message_id is null, o.id limit 1`,
);

export type ShownMail = Readonly<Record<string, string | number | Date | null>>;

/** `id` may be that of its message. */
export const findOutgoingMail = (db: SystemConnection, id: string): Promise<ShownMail | undefined> =>
  db.row<ShownMail>(SHOW_OUTGOING_MAIL, [id]);

const SHOW_INBOUND_MAIL = systemStatement(
  'operator_inbound_mail_show',
  REASON,
  `select 'in' as direction, r.id, a.name as account, m.name as mailbox, t.number as ticket, r.source, r.state, r.reason, r.sender,
     r.mail_id as "mailId", r.size, r.tries, r.created_at as "createdAt", r.processed_at as "processedAt"
   from arrivals r join accounts a on a.id = r.account_id join mailboxes m on m.id = r.mailbox_id
     left join tickets t on t.id = r.ticket_id
   where r.id = $1`,
);

export const findInboundMail = (db: SystemConnection, id: string): Promise<ShownMail | undefined> =>
  db.row<ShownMail>(SHOW_INBOUND_MAIL, [id]);

/** Excludes emails that may have arrived, and checks of mailboxes. */
const RETRY_MAILS = systemStatement(
  'operator_mails_retry',
  REASON,
  `update outgoing_mails set state = 'queued', due_at = $3::timestamptz, ended_at = null,
     reason = case when state = 'queued' then reason end, tries = case when state = 'queued' then tries else 0 end,
     queued_at = case when state = 'queued' then queued_at else $3::timestamptz end,
     lease = case when state = 'queued' then lease end, handed_over_at = null
   where (kind <> 'test' and (state = 'failed' or state = 'queued' and handed_over_at is null and due_at > $3::timestamptz + interval '30 seconds'))
     and ($1::uuid is null or lane = $1) and ($2::uuid is null or id = $2 or message_id = $2 or copy_of = $2)
   returning id`,
);

interface RetriedMails {
  readonly mailboxId: string | null;
  readonly id: string | null;
}

export async function retryMails(db: SystemConnection, { mailboxId, id }: RetriedMails, now: Date): Promise<number> {
  return (await db.rows(RETRY_MAILS, [mailboxId, id, now])).length;
}
