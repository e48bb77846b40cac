import { type AccountConnection, type AccountTx, accountStatement, filter } from '#libs/database';
import type { Account, Agent } from '#libs/entities';

const READ_PREFERENCES = accountStatement(
  'preferences_read',
  `select ac.time_zone as "accountTimeZone", a.time_zone as "ownTimeZone", a.signature, a.mail_about as "mailAbout",
     ac.assistants_may_send as "assistantsMaySend"
   from agents a join accounts ac on ac.id = a.account_id where a.id = $2 and ${filter('a.account_id = $1')}`,
);

export interface Preferences extends Pick<Agent, 'signature' | 'mailAbout'>, Pick<Account, 'assistantsMaySend'> {
  readonly accountTimeZone: string;
  /** Null if the agent uses the time zone of the account. */
  readonly ownTimeZone: string | null;
}

export async function readPreferences(account: AccountConnection, agentId: string): Promise<Preferences> {
  return (await account.row<Preferences>(READ_PREFERENCES, [agentId]))!;
}

const SET_OWN_TIME_ZONE = accountStatement(
  'time_zone_set_own',
  `update agents set time_zone = $3 where id = $2 and ${filter('account_id = $1')}`,
);

export async function setOwnTimeZone(account: AccountConnection, agentId: string, name: string | null): Promise<void> {
  await account.rows(SET_OWN_TIME_ZONE, [agentId, name]);
}

const SET_MAIL_ABOUT = accountStatement(
  'mail_about_set',
  `update agents set mail_about = $3 where id = $2 and ${filter('account_id = $1')}`,
);

export async function setMailAbout(account: AccountConnection, agentId: string, about: readonly string[]) {
  await account.rows(SET_MAIL_ABOUT, [agentId, about]);
}

const SET_TIME_ZONE = accountStatement(
  'time_zone_set',
  'update accounts set time_zone = $2 where id = $1 and time_zone <> $2 returning 1',
);

/** Returns whether it changed. */
export async function setTimeZone(tx: AccountTx, name: string): Promise<boolean> {
  return (await tx.row(SET_TIME_ZONE, [name])) !== undefined;
}

const SET_UNDO_SENDING = accountStatement(
  'undo_sending_set',
  'update accounts set undo_send_seconds = $2 where id = $1 and undo_send_seconds <> $2 returning 1',
);

/** Returns whether it changed. */
export async function setUndoSending(tx: AccountTx, seconds: number): Promise<boolean> {
  return (await tx.row(SET_UNDO_SENDING, [seconds])) !== undefined;
}

const SET_ASSISTANTS_SENDING = accountStatement(
  'assistants_sending_set',
  'update accounts set assistants_may_send = $2 where id = $1 and assistants_may_send <> $2 returning 1',
);

/** Returns whether it changed. */
export async function setAssistantsSending(tx: AccountTx, isAllowed: boolean): Promise<boolean> {
  return (await tx.row(SET_ASSISTANTS_SENDING, [isAllowed])) !== undefined;
}
