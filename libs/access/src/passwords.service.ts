import { type AccountTx, Transactions } from '#libs/database';
import { Agent, InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { signOutEverywhere } from './agent-access.service.js';
import { randomToken } from './secrets.js';

/** Argon2id (the library's default algorithm) with OWASP's first recommendation: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const SHORTEST = 10;
const LONGEST = 200;

@Injectable()
export class PasswordsService {
  constructor(private readonly transactions: Transactions) {}

  async set(accountId: string, agentId: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(validatePassword(password));
    await this.transactions.run({ accountId }, (tx, now) => replacePassword(tx, agentId, { passwordHash, now }));
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

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

let decoy: Promise<string> | undefined;

/** Takes as long for nobody as for somebody, so that the time of an answer tells nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomToken());
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}

export function validatePassword(password: string): string {
  if (password.length < SHORTEST)
    throw new InvalidField('password', 'too_short', `A password has at least ${SHORTEST} characters.`);
  if (password.length > LONGEST)
    throw new InvalidField('password', 'too_long', `A password has at most ${LONGEST} characters.`);
  return password;
}
