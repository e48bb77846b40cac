import { type AccountConnection, type AccountTx, accountStatement, isUuid } from '#libs/database';
import { type Account, Agent, NotFound } from '#libs/entities';

/** By e-mail or id. */
export const findAgent = (connection: AccountConnection, who: string): Promise<Agent | null> =>
  connection.repository(Agent).findOne(keyOf(who));

export const readAgent = async (connection: AccountConnection, who: string): Promise<Agent> =>
  known(await findAgent(connection, who));

export const lockAgent = async (tx: AccountTx, who: string): Promise<Agent> =>
  known(await tx.repository(Agent).lockForChange(keyOf(who)));

const keyOf = (who: string) => (isUuid(who) ? { id: who } : { email: who.toLowerCase() });

function known(agent: Agent | null): Agent {
  if (!agent) throw new NotFound('agent');
  return agent;
}

const READ_ACCOUNT = accountStatement('account_read', 'select id, name from accounts where id = $1');

export const readAccount = async (connection: AccountConnection): Promise<Pick<Account, 'id' | 'name'>> =>
  (await connection.row<Pick<Account, 'id' | 'name'>>(READ_ACCOUNT))!;
