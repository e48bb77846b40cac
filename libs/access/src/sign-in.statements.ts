import {
  type AccountConnection,
  type SystemConnection,
  accountStatement,
  filter,
  systemStatement,
} from '#libs/database';
import { type SigningIn, isStillVersion, passwordVersion } from './session.statements.js';

const CANDIDATES = systemStatement(
  'sign_in_candidates',
  'An email and a password do not say which account is meant',
  `select a.id, a.account_id as "accountId", a.email, ac.name as account, a.password_hash as "passwordHash",
     ${passwordVersion('a')} as "passwordVersion"
   from agents a join accounts ac on ac.id = a.account_id
   where a.email = $1 and a.state = 'active' and a.password_hash is not null order by ac.name, a.id limit 20`,
);

export interface SignInCandidate extends SigningIn {
  readonly account: string;
  readonly passwordVersion: Buffer;
}

export type CandidateWithHash = SignInCandidate & { readonly passwordHash: string };

export const findCandidates = (db: SystemConnection, email: string): Promise<CandidateWithHash[]> =>
  db.rows<CandidateWithHash>(CANDIDATES, [email]);

const VISIT_REASON = 'The person has yet to choose the account';

/** Locks the agents in one order, so that a change of password is seen or waits. */
const SAVE_VISIT = systemStatement(
  'visit_save',
  VISIT_REASON,
  `with chosen as (
     select a.id from agents a join unnest($3::uuid[], $5::bytea[]) as given (id, version) on given.id = a.id
     where ${isStillVersion('a', 'given.version')} order by a.id for no key update of a
   )
   insert into visits as v (hash, return_to, agent_ids, expires_at)
   select $1, $2, coalesce((select array_agg(id) from chosen), '{}'), $4
   on conflict (hash) do update set
     return_to = excluded.return_to, agent_ids = excluded.agent_ids, expires_at = excluded.expires_at`,
);

interface OfferedChoice {
  readonly hash: Buffer;
  readonly agents: readonly SigningIn[];
  readonly returnTo: string;
  readonly expiresAt: Date;
}

export async function saveVisit(db: SystemConnection, { hash, agents, returnTo, expiresAt }: OfferedChoice) {
  const ids = agents.map(({ id }) => id);
  const versions = agents.map(({ passwordVersion: version }) => version);
  await db.rows(SAVE_VISIT, [hash, returnTo, ids, expiresAt, versions]);
}

/** Only one of two simultaneous choices succeeds. A change of password would have ended the visit. */
const END_VISIT = systemStatement(
  'visit_end',
  VISIT_REASON,
  `delete from visits v using agents a
   where v.hash = $1 and v.expires_at > $2 and a.id = $3 and a.id = any (v.agent_ids)
     and a.state = 'active' and a.password_hash is not null
   returning a.id, a.account_id as "accountId", a.email, ${passwordVersion('a')} as "passwordVersion", v.return_to as "returnTo"`,
);

type EndedVisit = SigningIn & { readonly returnTo: string };

export const endVisit = (
  db: SystemConnection,
  { hash, agentId }: { readonly hash: Buffer; readonly agentId: string },
  now: Date,
): Promise<EndedVisit | undefined> => db.row<EndedVisit>(END_VISIT, [hash, now, agentId]);

const CHALLENGE_REASON = 'The account is not known before the code is verified';

const MAX_TRIES = 5;

/** Locks the agent, so that a change of password is seen or waits. */
const OPEN_CHALLENGE = accountStatement(
  'challenge_open',
  `insert into sign_in_challenges (hash, account_id, agent_id, return_to, expires_at)
   select $2, $1, id, $4, $5 from agents where id = $3 and ${filter('account_id = $1')} and state = 'active'
     and ${isStillVersion('agents', '$6')} for no key update`,
);

interface NewChallenge {
  readonly hash: Buffer;
  readonly agent: SigningIn;
  readonly returnTo: string;
  readonly expiresAt: Date;
}

export async function openChallenge(account: AccountConnection, challenge: NewChallenge): Promise<void> {
  const { hash, agent, returnTo, expiresAt } = challenge;
  await account.rows(OPEN_CHALLENGE, [hash, agent.id, returnTo, expiresAt, agent.passwordVersion ?? null]);
}

const OPEN_STILL = `hash = $1 and expires_at > $2 and tries < ${MAX_TRIES}`;

const FIND_CHALLENGE = systemStatement(
  'challenge_find',
  CHALLENGE_REASON,
  `select 1 from sign_in_challenges where ${OPEN_STILL}`,
);

export const isChallengeOpen = async (db: SystemConnection, hash: Buffer, now: Date): Promise<boolean> =>
  (await db.row(FIND_CHALLENGE, [hash, now])) !== undefined;

/** Counts before the comparison, so that parallel tries are counted too. */
const TRY_CHALLENGE = systemStatement(
  'challenge_try',
  CHALLENGE_REASON,
  `update sign_in_challenges c set tries = tries + 1 from agents a where a.id = c.agent_id and ${OPEN_STILL}
   returning c.account_id as "accountId", a.id, a.email, ${MAX_TRIES} - tries as left`,
);

type TriedChallenge = SigningIn & { readonly left: number };

export const tryChallenge = (db: SystemConnection, hash: Buffer, now: Date): Promise<TriedChallenge | undefined> =>
  db.row<TriedChallenge>(TRY_CHALLENGE, [hash, now]);

/** A change of password would have ended the challenge. */
const END_CHALLENGE = systemStatement(
  'challenge_end',
  CHALLENGE_REASON,
  `delete from sign_in_challenges c using agents a where c.hash = $1 and a.id = c.agent_id
   returning c.return_to as "returnTo", ${passwordVersion('a')} as "passwordVersion"`,
);

interface EndedChallenge {
  readonly returnTo: string;
  readonly passwordVersion: Buffer | null;
}

export const endChallenge = (db: SystemConnection, hash: Buffer): Promise<EndedChallenge | undefined> =>
  db.row<EndedChallenge>(END_CHALLENGE, [hash]);

const THROTTLE_REASON = 'The account of a try is not known yet';

/** A refused try writes no row. */
const COUNT_TRY = systemStatement(
  'throttle_count',
  THROTTLE_REASON,
  `with counted as (
     insert into throttles as t (key, count, ends_at) values ($1, 1, $2::timestamptz + $3 * interval '1 s')
     on conflict (key) do update set
       count = case when t.ends_at <= $2 then 1 else t.count + 1 end,
       ends_at = case when t.ends_at <= $2 then excluded.ends_at else t.ends_at end
       where t.ends_at <= $2 or t.count < $4
     returning 1
   )
   select exists (select from counted) as counted, (select ends_at from throttles where key = $1) as "endsAt"`,
);

interface CountedTry {
  readonly counted: boolean;
  readonly endsAt: Date | null;
}

export const countTry = (
  db: SystemConnection,
  { key, max, seconds }: { readonly key: Buffer; readonly max: number; readonly seconds: number },
  now: Date,
): Promise<CountedTry | undefined> => db.row<CountedTry>(COUNT_TRY, [key, now, seconds, max]);

/** Locks in one order to avoid deadlocks. */
const RELEASE_TRIES = systemStatement(
  'throttle_release',
  THROTTLE_REASON,
  `with held as (select key, count from throttles where key = any ($1::bytea[]) order by key for update),
   ended as (delete from throttles t using held where t.key = held.key and held.count <= 1)
   update throttles t set count = t.count - 1 from held where t.key = held.key and held.count > 1`,
);

export async function releaseTries(db: SystemConnection, keys: readonly Buffer[]): Promise<void> {
  await db.rows(RELEASE_TRIES, [keys]);
}
