import { type AccountConnection, type AccountTx, accountStatement, columns, filter, hydrate } from '#libs/database';
import { InvalidField, SavedReply, type ThenChange } from '#libs/entities';

/** Private saved replies of others are not found. */
export const USABLE_REPLY = (id: string, agentId: string): string =>
  `select r.id from saved_replies r where r.id = ${id} and ${filter(`r.account_id = $1 and (r.agent_id is null or r.agent_id = ${agentId})`)}`;

/** An account may have any number, and their texts are long. */
const MAX_SEARCHED = 1000;

const FIND = accountStatement(
  'saved_reply_find',
  `select ${columns(SavedReply, 'r')} from (
     select * from saved_replies where account_id = $1 and (agent_id is null or agent_id = $2) limit ${MAX_SEARCHED}
   ) r left join saved_reply_uses u on u.saved_reply_id = r.id and u.agent_id = $2
   where strpos(lower(r.name || ' ' || r.body), lower($3)) > 0
   order by u.used_at desc nulls last, r.name_key, r.id limit $4`,
);

/** The assignee is null if they were archived since. */
const USE = accountStatement(
  'saved_reply_use',
  `with used as (
     insert into saved_reply_uses (saved_reply_id, agent_id, account_id, used_at)
     select id, $3, $1, $4 from (${USABLE_REPLY('$2', '$3')}) usable
     on conflict (saved_reply_id, agent_id) do update set used_at = excluded.used_at returning saved_reply_id as id
   )
   select r.name, r.tags, r.state, r.assignee as email, (select a.id from agents a
     where a.email = r.assignee and ${filter("a.account_id = $1 and a.state <> 'archived'")}) as assignee
   from saved_replies r join used using (id) where ${filter('r.account_id = $1')}`,
);

/** Lists the last used ones first. */
export async function findReplies(connection: AccountConnection, agentId: string, q: string, limit: number) {
  return (await connection.rows(FIND, [agentId, q, limit])).map((row) => hydrate(SavedReply, row, 'r')!);
}

interface Chosen {
  readonly savedReplyId?: string | null | undefined;
  readonly thenChange?: ThenChange | null;
}

const DELETED_SINCE =
  'The saved reply was deleted. Your text is kept. Send again to change nothing else in the ticket.';

type UsedReply = Pick<SavedReply, 'name' | 'tags' | 'state' | 'assignee'> & { readonly email: string | null };

/** Returns what the message changes in its ticket. A state that the agent chose replaces that of the saved reply. */
export async function changeOnSending(
  tx: AccountTx,
  agentId: string,
  { savedReplyId, thenChange = null }: Chosen,
  now: Date,
) {
  if (!savedReplyId) return thenChange;
  const used = await tx.row<UsedReply>(USE, [savedReplyId, agentId, now]);
  if (!used) throw new InvalidField('saved_reply', 'deleted', DELETED_SINCE);
  const { name, tags, state, email, assignee } = used;
  if (email !== null && assignee === null)
    throw new InvalidField(
      'saved_reply',
      'agent_archived',
      `“${name}” assigns the ticket to ${email}, who is archived.`,
    );
  return { state: state ?? undefined, addTags: tags, assignee: assignee ?? undefined, ...thenChange };
}
