import { Clock, Database, systemStatement } from '#libs/database';
import type { PendingSignIn } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

const LIFE_MS = 30 * 60_000;
const REASON = 'Which account it is for, the person has yet to choose';

const SAVE = systemStatement(
  'visit_save',
  REASON,
  `insert into visits as v (hash, return_to, agent_ids, expires_at) values ($1, $2, $3, $4)
   on conflict (hash) do update set
     return_to = excluded.return_to, agent_ids = excluded.agent_ids, expires_at = excluded.expires_at`,
);

const FIND = systemStatement(
  'visit_find',
  REASON,
  'select return_to as "returnTo", agent_ids as "agentIds" from visits where hash = $1 and expires_at > $2',
);

const END = systemStatement('visit_end', REASON, 'delete from visits where hash = $1');

type SavedSignIn = Pick<PendingSignIn, 'returnTo' | 'agentIds'>;

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

  /** `agentIds` are the agents whose password this browser has just given. */
  async save(token: string, { returnTo, agentIds }: SavedSignIn): Promise<void> {
    await this.database.system().rows(SAVE, [digest(token), returnTo, agentIds, this.clock.in(LIFE_MS)]);
  }

  find(token: string): Promise<SavedSignIn | undefined> {
    return this.database.system().row<SavedSignIn>(FIND, [digest(token), this.clock.now()]);
  }

  async end(token: string): Promise<void> {
    await this.database.system().rows(END, [digest(token)]);
  }
}
