import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

const LIFE_MS = 30 * 60_000;
const REASON = 'A browser that nobody is signed in with belongs to no account';

/** Where it wanted to go stays as it was when it is not said. */
const SAVE = systemStatement(
  'visit_save',
  REASON,
  `insert into visits as v (hash, return_to, agent_ids, expires_at) values ($1, coalesce($2, '/'), $3, $4)
   on conflict (hash) do update set
     return_to = coalesce($2, v.return_to), agent_ids = excluded.agent_ids, expires_at = excluded.expires_at`,
);

const FIND = systemStatement(
  'visit_find',
  REASON,
  'select return_to as "returnTo", agent_ids as "agentIds" from visits where hash = $1 and expires_at > $2',
);

const END = systemStatement(
  'visit_end',
  REASON,
  'delete from visits where hash = $1 returning return_to as "returnTo", expires_at > $2 as alive',
);

/** What is kept of a browser between its first page and being signed in: here, where the browser cannot change it. */
@Injectable()
export class PendingSignInsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  saveReturnTo(token: string, returnTo: string): Promise<void> {
    return this.save(token, returnTo, []);
  }

  saveAgents(token: string, agentIds: readonly string[]): Promise<void> {
    return this.save(token, null, agentIds);
  }

  /** Agents whose password this browser has given a moment ago. */
  async agentIds(token: string): Promise<string[]> {
    const found = await this.database.system().row<{ agentIds: string[] }>(FIND, [digest(token), this.clock.now()]);
    return found?.agentIds ?? [];
  }

  /** Where it wanted to go. */
  async finish(token: string): Promise<string | undefined> {
    const values = [digest(token), this.clock.now()];
    const ended = await this.database.system().row<{ returnTo: string; alive: boolean }>(END, values);
    return ended?.alive ? ended.returnTo : undefined;
  }

  private async save(token: string, returnTo: string | null, agentIds: readonly string[]): Promise<void> {
    await this.database.system().rows(SAVE, [digest(token), returnTo, agentIds, this.clock.in(LIFE_MS)]);
  }
}
