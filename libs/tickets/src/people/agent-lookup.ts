import { type AccountConnection, type AccountTx, isUuid } from '#libs/database';
import { Agent, NotFound } from '#libs/entities';

/** By e-mail or id. */
export const findAgent = (connection: AccountConnection, who: string): Promise<Agent | null> =>
  connection.repository(Agent).findOne(named(who));

export const readAgent = async (connection: AccountConnection, who: string): Promise<Agent> =>
  known(await findAgent(connection, who));

export const lockAgent = async (tx: AccountTx, who: string): Promise<Agent> =>
  known(await tx.repository(Agent).lockForChange(named(who)));

const named = (who: string) => (isUuid(who) ? { id: who } : { email: who.toLowerCase() });

function known(agent: Agent | null): Agent {
  if (!agent) throw new NotFound('agent');
  return agent;
}
