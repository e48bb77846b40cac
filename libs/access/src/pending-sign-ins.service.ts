import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

const LIFE_MS = 30 * 60_000;
const REASON = 'A browser that nobody is signed in with belongs to no account';

const REMEMBER_WAY = systemStatement(
  'visit_remember_way',
  REASON,
  `insert into visits (hash, return_to, agent_ids, expires_at) values ($1, $2, '{}', $3)
   on conflict (hash) do update set return_to = excluded.return_to, agent_ids = '{}', expires_at = excluded.expires_at`,
);

const REMEMBER_AGENTS = systemStatement(
  'visit_remember_agents',
  REASON,
  `insert into visits (hash, return_to, agent_ids, expires_at) values ($1, '/', $2, $3)
   on conflict (hash) do update set agent_ids = excluded.agent_ids, expires_at = excluded.expires_at`,
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

  async saveReturnTo(token: string, returnTo: string): Promise<void> {
    await this.database.system().rows(REMEMBER_WAY, [digest(token), returnTo, this.lifeEnd()]);
  }

  async saveAgents(token: string, agentIds: readonly string[]): Promise<void> {
    await this.database.system().rows(REMEMBER_AGENTS, [digest(token), agentIds, this.lifeEnd()]);
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

  private lifeEnd(): Date {
    return this.clock.in(LIFE_MS);
  }
}
