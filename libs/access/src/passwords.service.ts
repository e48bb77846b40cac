import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type AccountTx, Transactions, Clock, Database } from '#libs/database';
import { Agent, Unavailable, type SingleUseLink } from '#libs/entities';
import { FairQueue } from '#libs/pacing';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomToken, digest } from './secrets.js';
import { signOutEverywhere } from './session.statements.js';
import { validatePassword } from './validation.js';
import { FIND_LINK, MAKE_LINK, OWE_LINK_MAILS, SPEND_LINK } from './link.statements.js';

/** Later steps fail if the password has changed. Without a version, no password was verified. */
export interface SigningIn extends Pick<Agent, 'id' | 'accountId' | 'email'> {
  readonly passwordVersion?: Buffer | null;
}

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
async function replacePassword(tx: AccountTx, id: string, passwordHash: string, now: Date): Promise<void> {
  await tx.repository(Agent).update({ id }, { passwordHash, updatedAt: now });
  await tx.repository(Agent).update({ id, state: 'invited' }, { state: 'active' });
  await signOutEverywhere(tx, id);
}

/** The same value as `passwordVersion` in SQL. */
export const versionOf = (passwordHash: string): Buffer => createHash('sha256').update(passwordHash).digest();

/** Argon2id, the first recommendation of OWASP. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Leaves two of Node’s four pool threads for files, compression and name resolution, and a processor for the event loop. */
const MAX_CONCURRENT = Math.max(1, Math.min(2, availableParallelism() - 1));

const MAX_WAITING = 200;

const queue = new FairQueue({
  maxConcurrent: MAX_CONCURRENT,
  maxWaiting: MAX_WAITING,
  newRefusal: () =>
    new Unavailable('too_busy', 'Too many passwords are being checked just now. Try again in a few seconds.'),
});

export const passwordQueueCounts = () => queue.counts;

/** Passwords of one `lane` wait for each other; lanes take turns. */
export const hashPassword = (password: string, lane: string): Promise<string> =>
  queue.run(lane, () => hash(password, COST));

/** Makes the verification take the same time for 0, 1 and 2 accounts. */
const MIN_VERIFIED = 2;

let decoy: Promise<string> | undefined;

export function verifyPassword(hashes: readonly string[], password: string, lane: string): Promise<boolean[]> {
  return queue.run(lane, async () => {
    decoy ??= hash(randomToken(), COST);
    const matches: boolean[] = [];
    for (const passwordHash of hashes) matches.push(await verify(passwordHash, password));
    for (let n = hashes.length; n < MIN_VERIFIED; n++) await verify(await decoy, password);
    return matches;
  });
}

export interface LinkRecipient extends Pick<SingleUseLink, 'purpose' | 'accountId' | 'agentId'> {
  readonly account: string;
  readonly email: string;
}

export interface IssuedLink extends LinkRecipient {
  readonly path: string;
}

@Injectable()
export class SingleUseLinksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined if the agent is archived, or the link would have another purpose than the wanted one. */
  async issue(accountId: string, agentId: string, wanted?: SingleUseLink['purpose']): Promise<IssuedLink | undefined> {
    const token = randomToken();
    const values = [agentId, digest(token), this.clock.now(), wanted ?? null];
    const holder = await this.database.account(accountId).row<LinkRecipient>(MAKE_LINK, values);
    return holder && { ...holder, path: `/set-password/${token}` };
  }

  async mailTo(email: string): Promise<void> {
    await this.database.system().rows(OWE_LINK_MAILS, [email.trim().toLowerCase(), this.clock.now()]);
  }

  /** Mail scanners open links, so this spends nothing. */
  find(token: string): Promise<LinkRecipient | undefined> {
    return this.database.system().row<LinkRecipient>(FIND_LINK, [digest(token), this.clock.now()]);
  }

  /** Returns undefined if the link is spent, expired or unknown. */
  async redeem(token: string, password: string) {
    const passwordHash = await hashPassword(validatePassword(password), token);
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const agent = await tx.row<SigningIn>(SPEND_LINK, [digest(token), now]);
      if (!agent) return undefined;
      await replacePassword(tx.account(agent.accountId), agent.id, passwordHash, now);
      return { ...agent, passwordVersion: versionOf(passwordHash) };
    });
  }
}
