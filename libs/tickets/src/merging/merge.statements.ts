import { type AccountTx, accountStatement } from '#libs/database';

/**
 * Moves all messages, or those of `$4`. Words move with their messages, except that those of an old ticket stay with it
 * after an undo. Tickets that were merged before follow, so that each names the ticket with its messages. An undo also
 * moves back drafts, unless their authors have begun another one.
 */
const MOVE = accountStatement(
  'merge_move',
  `with moved as (
     update messages set ticket_id = $3 where account_id = $1 and ticket_id = $2 and ($4::uuid[] is null or id = any($4))
     returning id
   ), words as (
     update ticket_words set ticket_id = $3
     where account_id = $1 and ticket_id = $2 and ($4::uuid[] is null or source_id = any($4)) returning source_id
   ), followers as (
     update tickets set merged_into_id = $3
     where account_id = $1 and merged_into_id = $2 and id <> $3 and ($4::uuid[] is null or id = any($4)) returning id
   ), held as (
     update held_replies set ticket_id = $3 where account_id = $1 and ticket_id = $2 and $4::uuid[] is null
   ), drafted as (
     update drafts d set ticket_id = $3, writer = '', revision = d.revision + 1
     where d.account_id = $1 and d.ticket_id = $2 and d.id = any($4)
       and not exists (select from drafts o where o.account_id = $1 and o.ticket_id = $3 and o.agent_id = d.agent_id)
   )
   select (select count(*)::int from moved) as messages,
     (select ticket_id = $2 from messages where account_id = $1 and ticket_id in ($2, $3) order by id limit 1) as first,
     array(select id from moved union select source_id from words union select id from followers) as rows`,
);

interface Moved {
  readonly messages: number;
  /** The thread now begins with one of them. */
  readonly first: boolean;
  /** Ids of all rows that moved. */
  readonly rows: readonly string[];
}

export const moveMessages = async (
  tx: AccountTx,
  from: string,
  to: string,
  rows: readonly string[] | null = null,
): Promise<Moved> => (await tx.row<Moved>(MOVE, [from, to, rows]))!;

/**
 * If an agent has two drafts, the texts are joined. They become notes if either was one, or if the customers differ (`$4`):
 * the text must not go to the wrong person.
 */
const MOVE_DRAFTS = accountStatement(
  'merge_move_drafts',
  `with joined as (
     update drafts d set body = concat_ws(E'\\n\\n', nullif(d.body, ''), nullif(o.body, '')), note = d.note or o.note or $4,
       writer = '', revision = d.revision + 1
     from drafts o where d.account_id = $1 and d.ticket_id = $3 and o.ticket_id = $2 and o.agent_id = d.agent_id
     returning o.id as former, d.id
   ), files as (
     update draft_files f set draft_id = joined.id from joined where f.account_id = $1 and f.draft_id = joined.former
   ), gone as (
     delete from drafts where account_id = $1 and id = any(array(select former from joined))
   )
   update drafts set ticket_id = $3, note = note or $4, writer = '', revision = revision + 1
   where account_id = $1 and ticket_id = $2 and id <> all(array(select former from joined)) returning id`,
);

/** Returns the ids of those that were not joined. */
export const moveDrafts = async (tx: AccountTx, from: string, to: string, asNotes: boolean): Promise<string[]> =>
  (await tx.rows<{ id: string }>(MOVE_DRAFTS, [from, to, asNotes])).map(({ id }) => id);

const MOVE_MERGED_OUT = accountStatement(
  'merge_move_out',
  `update tickets t set mailbox_id = other.mailbox_id, assigned_group_id = other.assigned_group_id from tickets other
   where t.account_id = $1 and (t.mailbox_id = $2 or t.assigned_group_id = $2) and t.merged_into_id is not null
     and other.id = t.merged_into_id`,
);

/** Merged tickets are not shown, so nobody could move them out of a mailbox or group that is deleted. */
export const moveMergedOut = (tx: AccountTx, id: string): void => tx.send(MOVE_MERGED_OUT, [id]);
