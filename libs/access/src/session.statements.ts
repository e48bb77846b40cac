import {
  type AccountTx,
  type AccountConnection,
  type SystemConnection,
  accountStatement,
  filter,
  systemStatement,
  uuidAt,
} from '#libs/database';
import type { Agent, Session } from '#libs/entities';
import { queueMailsSql } from '#libs/mail';

/** Later steps fail if the password has changed. Without a version, no password was verified. */
export interface SigningIn extends Pick<Agent, 'id' | 'accountId' | 'email'> {
  readonly passwordVersion?: Buffer | null;
}

/** Identifies a password in later steps of a sign-in, without revealing its hash. */
export const passwordVersion = (agents: string): string => `sha256(convert_to(${agents}.password_hash, 'UTF8'))`;

/** Null means a step without a password. Needs a lock of the agent. */
export const isStillVersion = (agents: string, parameter: string): string =>
  `(${parameter}::bytea is null or ${passwordVersion(agents)} = ${parameter})`;

const IDLE = '7 days';

/** The precision of "last seen": further requests within it write nothing. */
const SEEN_GRAIN = '1 minute';

/** Queues a notice if a device is given, except for the first sign-in. */
const OPEN_SESSION = accountStatement(
  'session_open',
  `with holder as (
     select id, email, coalesce(signed_in_at, last_seen_at) as before from agents
     where id = $4 and ${filter('account_id = $1')} and state = 'active' and ${isStillVersion('agents', '$10')} for no key update
   ), stamped as (
     update agents a set signed_in_at = $7, last_seen_at = $7 from holder where a.id = holder.id and a.account_id = $1
   ), notice as (
     ${queueMailsSql(
       'sign_in_notice',
       `select $1::uuid, email, jsonb_build_object('device', $9::text, 'address', $6::text), $7::timestamptz
        from holder where before is not null and $9::text is not null`,
     )}
   )
   insert into sessions (id, hash, account_id, agent_id, user_agent, address, created_at, last_seen_at, expires_at)
   select $2, $3, $1, id, $5, $6, $7, $7, $8 from holder`,
);

interface NewSession extends Pick<Session, 'userAgent' | 'address' | 'expiresAt'> {
  readonly hash: Buffer;
  readonly agent: Omit<SigningIn, 'email'>;
  /** Named in the notice. Null for none. */
  readonly device: string | null;
}

export async function insertSession(account: AccountConnection, session: NewSession, now: Date): Promise<void> {
  const { hash, agent, userAgent, address, expiresAt, device } = session;
  const values = [uuidAt(now), hash, agent.id, userAgent, address, now, expiresAt, device];
  await account.rows(OPEN_SESSION, [...values, agent.passwordVersion ?? null]);
}

const FIND_SESSION = systemStatement(
  'session_find',
  'The session itself says whose account this is',
  `select s.id as "sessionId", s.account_id as "accountId", ac.name as account, s.agent_id as "agentId", a.email,
     a.first_name as "firstName", a.last_name as "lastName", a.role, coalesce(a.time_zone, ac.time_zone) as "timeZone",
     (ac.two_factor_required_for = 'everybody' or ac.two_factor_required_for = 'managers' and a.role in ('owner', 'admin'))
       and not exists (select from authenticators t where t.agent_id = a.id and t.confirmed_at is not null) as "owesTwoFactor",
     s.last_seen_at < $2::timestamptz - interval '${SEEN_GRAIN}' as "seenIsOld"
   from sessions s
     join agents a on a.id = s.agent_id and a.account_id = s.account_id
     join accounts ac on ac.id = s.account_id
   where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $2::timestamptz - interval '${IDLE}'
     and a.state = 'active'`,
);

export interface AuthenticatedSession extends Pick<Agent, 'accountId' | 'email' | 'firstName' | 'lastName' | 'role'> {
  readonly sessionId: string;
  readonly account: string;
  readonly agentId: string;
  readonly timeZone: string;
  /** The account requires two-factor sign-in, which the agent has not set up. */
  readonly owesTwoFactor: boolean;
}

type FoundSession = AuthenticatedSession & { readonly seenIsOld: boolean };

export const findSession = (db: SystemConnection, hash: Buffer, now: Date): Promise<FoundSession | undefined> =>
  db.row<FoundSession>(FIND_SESSION, [hash, now]);

/** Locks the agent first, as statements that end sessions do, to avoid deadlocks. */
const NOTE_SEEN = accountStatement(
  'session_note_seen',
  `with seen as (
     update agents set last_seen_at = $3 where ${filter('account_id = $1')}
       and id = (select agent_id from sessions where id = $2 and account_id = $1)
     returning id
   )
   update sessions s set last_seen_at = $3 from seen where s.id = $2 and s.account_id = $1 and s.agent_id = seen.id`,
);

export async function noteSeen(account: AccountConnection, sessionId: string, now: Date): Promise<void> {
  await account.rows(NOTE_SEEN, [sessionId, now]);
}

const LIST_SESSIONS = accountStatement(
  'sessions_list',
  `select id, user_agent as "userAgent", address, created_at as "createdAt", last_seen_at as "lastSeenAt"
   from sessions where account_id = $1 and agent_id = $2 and expires_at > $3
     and last_seen_at > $3::timestamptz - interval '${IDLE}'
   order by last_seen_at desc`,
);

export type OpenSession = Pick<Session, 'id' | 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'>;

export const listSessions = (account: AccountConnection, agentId: string, now: Date): Promise<OpenSession[]> =>
  account.rows<OpenSession>(LIST_SESSIONS, [agentId, now]);

export const ACCESS_ENDED_CHANNEL = 'deskwire_access_ended';

/** Notifies every process of an ended session, grant or application, so that it ends their open streams and waits. */
export const notifyEnded = (id: string): string => `pg_notify('${ACCESS_ENDED_CHANNEL}', ${id}::text)`;

const NOTIFY = `select id, ${notifyEnded('id')} from ended`;

const END_SESSIONS = accountStatement(
  'sessions_end',
  `with ended as (
     delete from sessions where account_id = $1 and agent_id = $2 and ($3::uuid is null or id = $3) and ($4::uuid is null or id <> $4)
     returning id
   ) ${NOTIFY}`,
);

const END_HELD_SESSION = systemStatement(
  'session_end_held',
  'Runs for the session that the browser itself holds',
  `with ended as (delete from sessions where hash = $1 returning id) ${NOTIFY}`,
);

export async function endHeldSession(db: SystemConnection, hash: Buffer): Promise<void> {
  await db.rows(END_HELD_SESSION, [hash]);
}

export async function endSessions(
  db: AccountConnection,
  agentId: string,
  { only, except }: { only?: string; except?: string } = {},
): Promise<number> {
  return (await db.rows(END_SESSIONS, [agentId, only ?? null, except ?? null])).length;
}

/** Also ends links and unfinished sign-ins. */
export async function signOutEverywhere(tx: AccountTx, agentId: string): Promise<void> {
  await endSessions(tx, agentId);
  await tx.rows(END_SIGN_INS, [agentId]);
}

const END_SIGN_INS = accountStatement(
  'sign_ins_end',
  `with links as (delete from single_use_links where account_id = $1 and agent_id = $2),
     challenges as (delete from sign_in_challenges where account_id = $1 and agent_id = $2)
   delete from visits
   where agent_ids @> array[$2::uuid] and exists (select from agents where id = $2 and ${filter('account_id = $1')})`,
);
