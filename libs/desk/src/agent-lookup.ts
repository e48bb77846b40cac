import { type AccountConnection, accountStatement, columns, hydrate } from '#libs/database';
import { Agent, NotFound } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { parsePersonReference } from './references.js';

const FIND = `select ${columns(Agent, 'a')} from agents a where a.account_id = $1 and (a.email = $2 or a.id = $3)`;
const READ = accountStatement('agent_read', FIND);
const LOCK = accountStatement('agent_lock', `${FIND} for no key update`);
const LOAD = accountStatement(
  'agent_load',
  `select ${columns(Agent, 'a')} from agents a where a.account_id = $1 and a.id = any($2)`,
);

/** By e-mail or id. */
export async function findAgent(connection: AccountConnection, who: string): Promise<Agent | null> {
  return hydrate(Agent, (await connection.row(READ, Object.values(parsePersonReference(who)))) ?? {}, 'a');
}

export async function readAgent(connection: AccountConnection, who: string): Promise<Agent> {
  return known(await findAgent(connection, who));
}

export async function lockAgent(connection: AccountConnection, who: string): Promise<Agent> {
  return known(hydrate(Agent, (await connection.row(LOCK, Object.values(parsePersonReference(who)))) ?? {}, 'a'));
}

export const loadAgents = (connection: AccountConnection, ids: readonly string[]): Promise<Agent[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Agent, row, 'a'));

function known(agent: Agent | null): Agent {
  if (!agent) throw new NotFound('agent');
  return agent;
}
