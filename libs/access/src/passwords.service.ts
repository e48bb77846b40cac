import { createHash } from 'node:crypto';
import { type AccountTx, Transactions } from '#libs/database';
import { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { signOutEverywhere } from './session.statements.js';
import { validatePassword } from './passwords.js';
import { hashPassword } from './password-hashes.js';

@Injectable()
export class PasswordsService {
  constructor(private readonly transactions: Transactions) {}

  async set(accountId: string, agentId: string, password: string): Promise<Buffer> {
    const passwordHash = await hashPassword(validatePassword(password), agentId);
    await this.transactions.run({ accountId }, (tx, now) => replacePassword(tx, agentId, passwordHash, now));
    return versionOf(passwordHash);
  }
}

/** Also activates an invited agent, and ends sessions and links. */
export async function replacePassword(tx: AccountTx, id: string, passwordHash: string, now: Date): Promise<void> {
  await tx.repository(Agent).update({ id }, { passwordHash, updatedAt: now });
  await tx.repository(Agent).update({ id, state: 'invited' }, { state: 'active' });
  await signOutEverywhere(tx, id);
}

/** The same value as `passwordVersion` in SQL. */
export const versionOf = (passwordHash: string): Buffer => createHash('sha256').update(passwordHash).digest();
