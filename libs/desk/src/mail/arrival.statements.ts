import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  systemStatement,
} from '#libs/database';
import { Arrival, type ArrivalState, Conflict, NotFound } from '#libs/entities';

/** On which workers hear that a mail was accepted. Who does not hear it polls. */
export const ARRIVALS_CHANNEL = 'deskwire_arrivals';

const INSERT = accountStatement(
  'arrival_insert',
  `with kept as (delete from stray_files where account_id = $1 and id = $2 returning id)
   insert into arrivals
     (id, account_id, mailbox_id, source, envelope_from, envelope_to, hash, size, state, due_at, created_at)
   select id, $1, $3, $4, $5, $6, $7, $8, 'waiting', $9, $9 from kept returning pg_notify('${ARRIVALS_CHANNEL}', '')`,
);

const READ = accountStatement(
  'arrival_read',
  `select ${columns(Arrival, 'r')}, t.number from arrivals r left join tickets t on t.id = r.ticket_id
   where r.account_id = $1 and r.id = $2`,
);

/** Its file is stray no longer. */
export async function insertArrival(account: AccountConnection, arrival: Arrival): Promise<void> {
  const { id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt } = arrival;
  const values = [id, mailboxId, source, envelopeFrom, envelopeTo, hash, size, createdAt];
  if (!(await account.row(INSERT, values)))
    throw new Conflict('upload_given_up', 'The mail took too long to arrive and was discarded. Send it again.');
}

export async function readArrival(account: AccountConnection, id: string): Promise<Arrival> {
  const row = (await account.row(READ, [id])) ?? {};
  const arrival = hydrate(Arrival, row, 'r');
  if (!arrival) throw new NotFound('arrival');
  return Object.assign(arrival, { ticketNumber: (row['number'] ?? null) as number | null });
}

const REASON = 'Mails that arrived are understood for all accounts alike';

/** Taken until $2. Who dies with it leaves it to others then, and what is tried again and again is not read any more. */
export const CLAIM_ARRIVALS = systemStatement(
  'arrival_claim',
  REASON,
  `update arrivals set due_at = $2, tries = tries + 1 where id = any(array(
     select id from arrivals where state = 'waiting' and due_at <= $1 order by due_at limit $3 for update skip locked))
   returning id, account_id as "accountId", mailbox_id as "mailboxId", envelope_from as "envelopeFrom",
     envelope_to as "envelopeTo", hash, tries, created_at as "createdAt"`,
);

/** What a worker knows of the mail it works on. */
export type ClaimedArrival = Pick<
  Arrival,
  'id' | 'accountId' | 'mailboxId' | 'envelopeFrom' | 'envelopeTo' | 'hash' | 'tries' | 'createdAt'
>;

const POSTPONE = accountStatement(
  'arrival_postpone',
  `update arrivals set due_at = $3, tries = $4 where account_id = $1 and id = $2 and state = 'waiting'`,
);

export async function postponeArrival(
  account: AccountConnection,
  id: string,
  until: Date,
  tries: number,
): Promise<void> {
  await account.rows(POSTPONE, [id, until, tries]);
}

const END = accountStatement(
  'arrival_end',
  `update arrivals set state = $3, reason = $4, mail_id = $5, content_hash = $6, sender = $7, ticket_id = $8,
     message_id = $9, started_ticket = $10, understood_at = $11
   where account_id = $1 and id = $2 and state = 'waiting' returning id`,
);

/** What became of a mail. */
export interface ArrivalEnd {
  readonly state: Exclude<ArrivalState, 'waiting'>;
  readonly reason?: string;
  readonly mailId: string;
  readonly contentHash: string;
  readonly sender: string | null;
  readonly ticketId?: string;
  readonly messageId?: string;
  readonly startedTicket?: boolean;
}

/** Another worker was faster, or the same mail came at the same time: in both cases nothing is left to do. */
export class AlreadyUnderstood extends Error {}

export async function endArrival(
  tx: AccountTx | AccountConnection,
  id: string,
  end: ArrivalEnd,
  now: Date,
): Promise<void> {
  const {
    state,
    reason = null,
    mailId,
    contentHash,
    sender,
    ticketId = null,
    messageId = null,
    startedTicket = false,
  } = end;
  const values = [id, state, reason, mailId, contentHash, sender, ticketId, messageId, startedTicket, now];
  if (!(await tx.row(END, values))) throw new AlreadyUnderstood();
}
