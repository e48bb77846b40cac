import { type AccountTx, Transactions } from '#libs/database';
import { Agent, InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { hashPassword } from './password-hashes.js';
import { versionOf } from './password-version.js';
import { signOutEverywhere } from './session-endings.js';

const SHORTEST = 10;
const LONGEST = 200;

@Injectable()
export class PasswordsService {
  constructor(private readonly transactions: Transactions) {}

  /** Returns which password it is now. Whoever signs in with it must not be late for another one. */
  async set(accountId: string, agentId: string, password: string): Promise<Buffer> {
    const passwordHash = await hashPassword(validatePassword(password), agentId);
    await this.transactions.run({ accountId }, (tx, now) => replacePassword(tx, agentId, { passwordHash, now }));
    return versionOf(passwordHash);
  }
}

interface NewPassword {
  readonly passwordHash: string;
  readonly now: Date;
}

/** An invited agent joins with it. Whoever is signed in with the old one, or holds a link from before, is out. */
export async function replacePassword(tx: AccountTx, id: string, { passwordHash, now }: NewPassword): Promise<void> {
  await tx.repository(Agent).update({ id }, { passwordHash, updatedAt: now });
  await tx.repository(Agent).update({ id, state: 'invited' }, { state: 'active' });
  await signOutEverywhere(tx, id);
}

export function validatePassword(password: string): string {
  if (password.length < SHORTEST)
    throw new InvalidField('password', 'too_short', `A password has at least ${SHORTEST} characters.`);
  if (password.length > LONGEST)
    throw new InvalidField('password', 'too_long', `A password has at most ${LONGEST} characters.`);
  return password;
}
