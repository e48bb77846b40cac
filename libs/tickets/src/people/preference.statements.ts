import { type AccountConnection, accountStatement, filter } from '#libs/database';
import type { Account, Agent } from '#libs/entities';

const READ_PREFERENCES = accountStatement(
  'preferences_read',
  `select ac.time_zone as "accountTimeZone", a.time_zone as "ownTimeZone", a.signature, a.mail_about as "mailAbout",
     ac.assistants_may_send as "assistantsMaySend", ac.undo_send_seconds as "undoSendSeconds"
   from agents a join accounts ac on ac.id = a.account_id where a.id = $2 and ${filter('a.account_id = $1')}`,
);

type Settings = Pick<Account, 'assistantsMaySend' | 'undoSendSeconds'>;

export interface Preferences extends Pick<Agent, 'signature' | 'mailAbout'>, Settings {
  readonly accountTimeZone: string;
  /** Null if the agent uses the time zone of the account. */
  readonly ownTimeZone: string | null;
}

export async function readPreferences(account: AccountConnection, agentId: string): Promise<Preferences> {
  return (await account.row<Preferences>(READ_PREFERENCES, [agentId]))!;
}

/** Returns a row if it changed. */
const setOfAccount = (column: 'time_zone' | 'undo_send_seconds' | 'assistants_may_send') =>
  accountStatement(
    `account_${column}_set`,
    `update accounts set ${column} = $2 where id = $1 and ${column} <> $2 returning 1`,
  );

export const SET_TIME_ZONE = setOfAccount('time_zone');
export const SET_UNDO_SENDING = setOfAccount('undo_send_seconds');
export const SET_ASSISTANTS_SENDING = setOfAccount('assistants_may_send');
