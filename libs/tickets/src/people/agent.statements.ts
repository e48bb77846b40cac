import { type AccountConnection, type AccountTx, accountStatement, isUuid } from '#libs/database';
import { type Account, Agent, NotFound } from '#libs/entities';

/** By e-mail or id. */
export const findAgent = (connection: AccountConnection, emailOrId: string): Promise<Agent | null> =>
  connection.repository(Agent).findOne(keyOf(emailOrId));

export const readAgent = async (connection: AccountConnection, emailOrId: string): Promise<Agent> =>
  known(await findAgent(connection, emailOrId));

export const lockAgent = async (tx: AccountTx, emailOrId: string): Promise<Agent> =>
  known(await tx.repository(Agent).lockForChange(keyOf(emailOrId)));

const keyOf = (emailOrId: string) => (isUuid(emailOrId) ? { id: emailOrId } : { email: emailOrId.toLowerCase() });

function known(agent: Agent | null): Agent {
  if (!agent) throw new NotFound('agent');
  return agent;
}

const READ_ACCOUNT = accountStatement('account_read', 'select id, name from accounts where id = $1');

export const readAccount = async (connection: AccountConnection): Promise<Pick<Account, 'id' | 'name'>> =>
  (await connection.row<Pick<Account, 'id' | 'name'>>(READ_ACCOUNT))!;
