import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  filter,
  rangeOf,
  systemStatement,
} from '#libs/database';
import type { ArrivalState, SenderVerdicts } from '#libs/entities';
import type { InboundMail } from './arrival.statements.js';
import type { IdentifiedMail } from './parse-mail.js';

const REASON = 'Workers process the mails of all accounts';

/** Claims until $2, except accounts in $3. $4 allows a retry. */
const CLAIM_ARRIVAL = systemStatement(
  'arrival_claim',
  REASON,
  `update arrivals set due_at = $2, tries = tries + 1 where id = any(array(
     select id from arrivals where state = 'waiting' and due_at <= $1 and account_id <> all($3::uuid[])
       and (tries = 0 or $4)
     order by due_at limit 1 for update skip locked))
   returning id, account_id as "accountId", mailbox_id as "mailboxId", envelope_from as "envelopeFrom",
     envelope_to as "envelopeTo", hash, tries, released, created_at as "createdAt", received_at as "receivedAt"`,
);

export async function claimArrival(
  db: SystemConnection,
  claim: {
    readonly now: Date;
    readonly leasedUntil: Date;
    readonly otherAccounts: readonly string[];
    readonly mayRetry: boolean;
  },
): Promise<InboundMail | undefined> {
  const { now, leasedUntil, otherAccounts, mayRetry } = claim;
  return db.row<InboundMail>(CLAIM_ARRIVAL, [now, leasedUntil, otherAccounts, mayRetry]);
}

const POSTPONE_ARRIVAL = accountStatement(
  'arrival_postpone',
  `update arrivals set due_at = $3, tries = $4 where id = $2 and ${filter("account_id = $1 and state = 'waiting'")}`,
);

export async function postponeArrival(
  account: AccountConnection,
  { id, dueAt, tries }: { readonly id: string; readonly dueAt: Date; readonly tries: number },
): Promise<void> {
  await account.rows(POSTPONE_ARRIVAL, [id, dueAt, tries]);
}

/** The values are in the order of the fields in `recordOutcome`. */
const END = accountStatement(
  'arrival_end',
  `with ended as (
     update arrivals set state = $3, reason = $4, mail_id = $5, content_hash = $6, sender = $7, ticket_id = $8,
       message_id = $9, started_ticket = $10, processed_at = $11, subject = $12, preview = $13, verdicts = $14,
       has_raw = not $15
     where id = $2 and ${filter("account_id = $1 and state = 'waiting'")} returning id, account_id, has_raw
   ), given_up as (
     insert into stray_files (id, account_id, due_at) select id, account_id, $11 from ended where not has_raw
     on conflict do nothing
   )
   select id from ended`,
);

export interface MailOutcome {
  readonly state: Exclude<ArrivalState, 'waiting' | 'discarded'>;
  readonly reason?: string;
  readonly ticketId?: string;
  readonly messageId?: string;
  readonly startedTicket?: boolean;
  /** The content is stored elsewhere, so the bytes are removed after the commit. */
  readonly isStoredTwice?: boolean;
  /** Shown for emails in quarantine. */
  readonly subject?: string;
  readonly preview?: string;
  readonly verdicts?: SenderVerdicts | null;
}

/** Another worker was faster, or the same email came twice. */
export class AlreadyProcessed extends Error {}

export async function recordOutcome(
  tx: AccountConnection,
  { inbound, mail, outcome }: { inbound: InboundMail; mail: IdentifiedMail; outcome: MailOutcome },
  now: Date,
): Promise<void> {
  const row = {
    id: inbound.id,
    state: outcome.state,
    reason: outcome.reason ?? null,
    mailId: mail.mailId,
    contentHash: mail.contentHash,
    sender: mail.from.address,
    ticketId: outcome.ticketId ?? null,
    messageId: outcome.messageId ?? null,
    startedTicket: outcome.startedTicket ?? false,
    endedAt: now,
    subject: outcome.subject ?? null,
    preview: outcome.preview ?? null,
    verdicts: outcome.verdicts ?? null,
    isStoredTwice: outcome.isStoredTwice ?? false,
  };
  if (!(await tx.row(END, Object.values(row)))) throw new AlreadyProcessed();
}

const KNOWN = accountStatement(
  'arrival_known',
  `select from arrivals where account_id = $1 and ${rangeOf('mail_id', '$3')}
     and id <> $2 and content_hash = $4
     and ticket_id in (select t.id from tickets t where t.account_id = $1 and $5 in (t.id, t.merged_into_id))
   order by mail_id limit 1`,
);

/** The same email was sent to two mailboxes. */
export class DuplicateInTicket extends Error {}

/** Called with the ticket locked, so that the second of two concurrent deliveries finds the first. */
export async function refuseDuplicate(
  tx: AccountTx,
  { id }: InboundMail,
  { mailId, contentHash }: IdentifiedMail,
  ticketId: string,
): Promise<void> {
  if (await tx.row(KNOWN, [id, mailId, contentHash, ticketId])) throw new DuplicateInTicket();
}
