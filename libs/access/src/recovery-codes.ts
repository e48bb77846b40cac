import { randomInt } from 'node:crypto';
import { type AccountTx, accountStatement } from '#libs/database';
import { digest } from './secrets.js';

const COUNT = 10;
const LENGTH = 16;
/** Without letters and digits that look alike. 16 of 30 make 78 bits, too many to be guessed even from a stolen table. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz2345679';

const DELETE = accountStatement(
  'recovery_codes_delete',
  'delete from recovery_codes where account_id = $1 and agent_id = $2',
);

const INSERT = accountStatement(
  'recovery_codes_insert',
  `insert into recovery_codes (hash, account_id, agent_id, created_at) select hash, $1, $2, $4 from unnest($3::bytea[]) hash`,
);

/** Deleted by the one statement that finds it: of two who use it at once, one wins. */
export const SPEND_RECOVERY_CODE = accountStatement(
  'recovery_code_spend',
  `delete from recovery_codes where account_id = $1 and agent_id = $2 and hash = $3
   returning (select count(*)::int - 1 from recovery_codes where account_id = $1 and agent_id = $2) as left`,
);

/** Ten new ones in the place of those before. They are shown now and never again. */
export async function replaceRecoveryCodes(tx: AccountTx, agentId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newRecoveryCode);
  await deleteRecoveryCodes(tx, agentId);
  await tx.rows(INSERT, [agentId, codes.map((code) => recoveryCodeHash(agentId, code)), now]);
  return codes;
}

export async function deleteRecoveryCodes(tx: AccountTx, agentId: string): Promise<void> {
  await tx.rows(DELETE, [agentId]);
}

/** Capital letters, spaces and hyphens make no difference. */
export function recoveryCodeHash(agentId: string, typed: string): Buffer {
  return digest(`${agentId}\n${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
}

function newRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}
