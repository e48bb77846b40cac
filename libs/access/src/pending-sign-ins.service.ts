import { Clock, Database, systemStatement } from '#libs/database';
import type { PendingSignIn } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import type { SignInCandidate } from './credentials.service.js';
import { isStillVersion } from './password-version.js';
import { digest } from './secrets.js';

const LIFE_MS = 30 * 60_000;
const REASON = 'Which account it is for, the person has yet to choose';

/** Locks the agents, in one order: a change of password either ends this choice, or keeps the agent out of it. */
const SAVE = systemStatement(
  'visit_save',
  REASON,
  `with chosen as (
     select a.id from agents a join unnest($3::uuid[], $5::bytea[]) as given (id, version) on given.id = a.id
     where ${isStillVersion('a', 'given.version')} order by a.id for no key update of a
   )
   insert into visits as v (hash, return_to, agent_ids, expires_at)
   select $1, $2, coalesce((select array_agg(id) from chosen), '{}'), $4
   on conflict (hash) do update set
     return_to = excluded.return_to, agent_ids = excluded.agent_ids, expires_at = excluded.expires_at`,
);

const FIND = systemStatement(
  'visit_find',
  REASON,
  'select return_to as "returnTo", agent_ids as "agentIds" from visits where hash = $1 and expires_at > $2',
);

const END = systemStatement('visit_end', REASON, 'delete from visits where hash = $1 returning 1');

type SavedSignIn = Pick<PendingSignIn, 'returnTo' | 'agentIds'>;

interface NewSignIn extends Pick<PendingSignIn, 'returnTo'> {
  readonly agents: readonly Pick<SignInCandidate, 'id' | 'passwordVersion'>[];
}

/**
 * What is kept of a browser between the right password and being signed in: here, where the browser cannot change it.
 * Before the password is right, nothing is kept.
 */
@Injectable()
export class PendingSignInsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** `agents` are those whose password this browser has just given. */
  async save(token: string, { returnTo, agents }: NewSignIn): Promise<void> {
    const [ids, versions] = [agents.map(({ id }) => id), agents.map((agent) => agent.passwordVersion)];
    await this.database.system().rows(SAVE, [digest(token), returnTo, ids, this.clock.in(LIFE_MS), versions]);
  }

  find(token: string): Promise<SavedSignIn | undefined> {
    return this.database.system().row<SavedSignIn>(FIND, [digest(token), this.clock.now()]);
  }

  /** Says whether there was one. */
  async end(token: string): Promise<boolean> {
    return (await this.database.system().row(END, [digest(token)])) !== undefined;
  }
}
