import { randomInt } from 'node:crypto';
import type { AccountTx } from '#libs/database';
import { digest } from './secrets.js';
import { DELETE_RECOVERY_CODES, INSERT_RECOVERY_CODES } from './two-factor.statements.js';

const COUNT = 10;
const LENGTH = 16;
/** Omits letters and digits that look alike. 16 of 30 make 78 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz2345679';

export async function replaceRecoveryCodes(tx: AccountTx, agentId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newRecoveryCode);
  await deleteRecoveryCodes(tx, agentId);
  await tx.rows(INSERT_RECOVERY_CODES, [agentId, codes.map((code) => recoveryCodeHash(agentId, code)), now]);
  return codes;
}

export async function deleteRecoveryCodes(tx: AccountTx, agentId: string): Promise<void> {
  await tx.rows(DELETE_RECOVERY_CODES, [agentId]);
}

/** Ignores case, spaces and hyphens. */
export function recoveryCodeHash(agentId: string, typed: string): Buffer {
  return digest(`${agentId}\n${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
}

function newRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}
