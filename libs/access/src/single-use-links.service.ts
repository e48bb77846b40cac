import { Clock, Database } from '#libs/database';
import type { SingleUseLink } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { randomToken, digest } from './secrets.js';
import { validatePassword } from './passwords.js';
import { type LinkRecipient, findLink, makeLink, queueLinkMails, spendLink } from './link.statements.js';
import { replacePassword, versionOf } from './passwords.service.js';
import { hashPassword } from './password-hashes.js';

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
    const link = { agentId, hash: digest(token), purpose: wanted };
    const holder = await makeLink(this.database.account(accountId), link, this.clock.now());
    return holder && { ...holder, path: `/set-password/${token}` };
  }

  async mailTo(email: string): Promise<void> {
    await queueLinkMails(this.database.system(), email.trim().toLowerCase(), this.clock.now());
  }

  /** Mail scanners open links, so this spends nothing. */
  find(token: string): Promise<LinkRecipient | undefined> {
    return findLink(this.database.system(), digest(token), this.clock.now());
  }

  /** Returns undefined if the link is spent, expired or unknown. */
  async redeem(token: string, password: string) {
    const passwordHash = await hashPassword(validatePassword(password), token);
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const agent = await spendLink(tx, digest(token), now);
      if (!agent) return undefined;
      await replacePassword(tx.account(agent.accountId), agent.id, passwordHash, now);
      return { ...agent, passwordVersion: versionOf(passwordHash) };
    });
  }
}
