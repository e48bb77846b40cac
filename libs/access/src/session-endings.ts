import { type AccountTx, type AccountConnection, accountStatement, filter, systemStatement } from '#libs/database';

/**
 * Where every process hears which session has ended, by its id, so that open streams end at once. Told by the commit
 * itself, so that nobody can forget it. Sessions end seldom enough for that.
 */
export const SESSION_ENDED_CHANNEL = 'deskwire_session_ended';

const TELL = `select id, pg_notify('${SESSION_ENDED_CHANNEL}', id::text) from ended`;

const END_SESSIONS = accountStatement(
  'sessions_end',
  `with ended as (
     delete from sessions where account_id = $1 and agent_id = $2 and ($3::uuid is null or id = $3) and ($4::uuid is null or id <> $4)
     returning id
   ) ${TELL}`,
);

export const END_HELD_SESSION = systemStatement(
  'session_end_held',
  'Runs for the session that the browser itself holds',
  `with ended as (delete from sessions where hash = $1 returning id) ${TELL}`,
);

interface EndedSessions {
  /** Only this one. */
  readonly only?: string;
  /** All except this one. */
  readonly except?: string;
}

/** Says how many. */
export async function endSessions(db: AccountConnection, agentId: string, which: EndedSessions = {}): Promise<number> {
  return (await db.rows(END_SESSIONS, [agentId, which.only ?? null, which.except ?? null])).length;
}

/** Also whoever holds a link from before, or has given the password and not yet the code or the choice of an account. */
export async function signOutEverywhere(tx: AccountTx, agentId: string): Promise<void> {
  await endSessions(tx, agentId);
  await tx.rows(END_LINKS, [agentId]);
  await tx.rows(END_CHALLENGES, [agentId]);
  await tx.rows(END_VISITS, [agentId]);
}

const END_LINKS = accountStatement('links_end', 'delete from single_use_links where account_id = $1 and agent_id = $2');

const END_CHALLENGES = accountStatement(
  'challenges_end',
  'delete from sign_in_challenges where account_id = $1 and agent_id = $2',
);

const END_VISITS = accountStatement(
  'visits_end',
  `delete from visits where agent_ids @> array[$2::uuid] and exists (select from agents where id = $2 and ${filter('account_id = $1')})`,
);
