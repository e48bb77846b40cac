import { type AccountConnection, type AccountTx, accountStatement, isUuid } from '#libs/database';
import { type Account, Agent, existing } from '#libs/entities';

/** By email or id. */
export const findAgent = (connection: AccountConnection, emailOrId: string): Promise<Agent | null> =>
  connection.repository(Agent).findOne(keyOf(emailOrId));

export const readAgent = async (connection: AccountConnection, emailOrId: string): Promise<Agent> =>
  existing(await findAgent(connection, emailOrId), 'agent');

export const lockAgent = async (tx: AccountTx, emailOrId: string): Promise<Agent> =>
  existing(await tx.repository(Agent).lockForChange(keyOf(emailOrId)), 'agent');

const keyOf = (emailOrId: string) => (isUuid(emailOrId) ? { id: emailOrId } : { email: emailOrId.toLowerCase() });

const READ_ACCOUNT = accountStatement('account_read', 'select id, name from accounts where id = $1');

export const readAccount = async (connection: AccountConnection): Promise<Pick<Account, 'id' | 'name'>> =>
  (await connection.row<Pick<Account, 'id' | 'name'>>(READ_ACCOUNT))!;
