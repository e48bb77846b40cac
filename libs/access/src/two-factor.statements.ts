import { type AccountConnection, type AccountTx, accountStatement, filter } from '#libs/database';
import type { TwoFactorRequirement } from '#libs/entities';
import { type SealedValue, sealedTable } from '#libs/secret-box';

export interface Authenticator extends SealedValue {
  readonly confirmedAt: Date | null;
  readonly createdAt: Date;
  readonly recoveryCodesLeft: number;
}

const READ_AUTHENTICATOR = accountStatement(
  'two_factor_read',
  `select t.sealed, t.key_id as "keyId", t.confirmed_at as "confirmedAt", t.created_at as "createdAt",
     (select count(*)::int from recovery_codes r where r.account_id = $1 and r.agent_id = $2) as "recoveryCodesLeft"
   from authenticators t where t.account_id = $1 and t.agent_id = $2`,
);

export const readAuthenticator = (account: AccountConnection, agentId: string): Promise<Authenticator | undefined> =>
  account.row<Authenticator>(READ_AUTHENTICATOR, [agentId]);

const START_SET_UP = accountStatement(
  'two_factor_start',
  `insert into authenticators as t (account_id, agent_id, sealed, key_id, created_at) values ($1, $2, $3, $4, $5)
   on conflict (agent_id) do update set sealed = excluded.sealed, key_id = excluded.key_id, created_at = excluded.created_at
     where t.confirmed_at is null
   returning 1`,
);

/** False if it is on. */
export async function startSetUp(
  account: AccountConnection,
  { agentId, sealed, keyId }: SealedValue & { readonly agentId: string },
  now: Date,
): Promise<boolean> {
  return (await account.row(START_SET_UP, [agentId, sealed, keyId, now])) !== undefined;
}

/** Records the step, so that the confirming code cannot be used again. */
const CONFIRM_SET_UP = accountStatement(
  'two_factor_confirm',
  `update authenticators set confirmed_at = $3, last_step = $4
   where account_id = $1 and agent_id = $2 and confirmed_at is null and sealed = $5 returning 1`,
);

interface ConfirmedSetUp extends Pick<SealedValue, 'sealed'> {
  readonly agentId: string;
  readonly step: number;
}

/** False if another secret was set up meanwhile, or it is on. */
export const confirmSetUp = async (tx: AccountTx, { agentId, step, sealed }: ConfirmedSetUp, now: Date) =>
  (await tx.row(CONFIRM_SET_UP, [agentId, now, step, sealed])) !== undefined;

const REMOVE_AUTHENTICATOR = accountStatement(
  'two_factor_remove',
  `with codes as (delete from recovery_codes where account_id = $1 and agent_id = $2)
   delete from authenticators where account_id = $1 and agent_id = $2 returning confirmed_at is not null as "wasOn"`,
);

/** Also deletes recovery codes. Returns whether it was on. */
export const removeAuthenticator = async (tx: AccountTx, agentId: string): Promise<boolean> =>
  (await tx.row<{ wasOn: boolean }>(REMOVE_AUTHENTICATOR, [agentId]))?.wasOn ?? false;

const IS_REQUIRED = accountStatement(
  'two_factor_is_required',
  `select from agents a join accounts ac on ac.id = a.account_id where a.id = $2 and ${filter('a.account_id = $1')}
   and (ac.two_factor_required_for = 'everybody' or ac.two_factor_required_for = 'managers' and a.role in ('owner', 'admin'))`,
);

export const isTwoFactorRequired = async (tx: AccountTx, agentId: string): Promise<boolean> =>
  (await tx.row(IS_REQUIRED, [agentId])) !== undefined;

/** Only one of two simultaneous uses succeeds. */
const ACCEPT_STEP = accountStatement(
  'authenticator_accept',
  `update authenticators set last_step = $3
   where account_id = $1 and agent_id = $2 and confirmed_at is not null and last_step < $3 returning last_step`,
);

export const acceptStep = async (account: AccountConnection, agentId: string, step: number): Promise<boolean> =>
  (await account.row(ACCEPT_STEP, [agentId, step])) !== undefined;

const DELETE_RECOVERY_CODES = accountStatement(
  'recovery_codes_delete',
  'delete from recovery_codes where account_id = $1 and agent_id = $2',
);

const INSERT_RECOVERY_CODES = accountStatement(
  'recovery_codes_insert',
  `insert into recovery_codes (hash, account_id, agent_id, created_at) select hash, $1, $2, $4 from unnest($3::bytea[]) hash`,
);

export async function saveRecoveryCodes(
  tx: AccountTx,
  { agentId, hashes }: { readonly agentId: string; readonly hashes: readonly Buffer[] },
  now: Date,
): Promise<void> {
  await tx.rows(DELETE_RECOVERY_CODES, [agentId]);
  await tx.rows(INSERT_RECOVERY_CODES, [agentId, hashes, now]);
}

/** Only one of two simultaneous uses succeeds. */
const SPEND_RECOVERY_CODE = accountStatement(
  'recovery_code_spend',
  `delete from recovery_codes where account_id = $1 and agent_id = $2 and hash = $3
   returning (select count(*)::int - 1 from recovery_codes where account_id = $1 and agent_id = $2) as left,
     (select email from agents where id = $2 and account_id = $1)`,
);

export const spendRecoveryCode = (tx: AccountTx, agentId: string, hash: Buffer) =>
  tx.row<{ left: number; email: string }>(SPEND_RECOVERY_CODE, [agentId, hash]);

const READ_REQUIREMENT = accountStatement(
  'two_factor_requirement_read',
  'select two_factor_required_for as requirement from accounts where id = $1',
);

export async function readRequirement(account: AccountConnection): Promise<TwoFactorRequirement | undefined> {
  return (await account.row<{ requirement: TwoFactorRequirement }>(READ_REQUIREMENT))?.requirement;
}

const SET_REQUIREMENT = accountStatement(
  'two_factor_requirement_set',
  `update accounts set two_factor_required_for = $2 where id = $1 and two_factor_required_for <> $2 returning 1`,
);

/** False if it was set before. */
export const setRequirement = async (tx: AccountTx, requirement: TwoFactorRequirement): Promise<boolean> =>
  (await tx.row(SET_REQUIREMENT, [requirement])) !== undefined;

const FIND_HOLDERS = accountStatement(
  'two_factor_holders',
  'select agent_id as id from authenticators where account_id = $1 and confirmed_at is not null',
);

export async function findHolders(account: AccountConnection): Promise<ReadonlySet<string>> {
  const holders = await account.rows<{ id: string }>(FIND_HOLDERS);
  return new Set(holders.map(({ id }) => id));
}

export const SEALED_AUTHENTICATORS = sealedTable('authenticators', { id: 'agent_id' });
