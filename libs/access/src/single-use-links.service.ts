import { Clock, Database } from '#libs/database';
import type { SingleUseLink } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { randomToken, digest } from './secrets.js';
import { validatePassword } from './validation.js';
import { FIND_LINK, MAKE_LINK, OWE_LINK_MAILS, SPEND_LINK } from './link.statements.js';
import { type SigningIn, replacePassword, versionOf } from './passwords.service.js';
import { hashPassword } from './password-hashes.js';

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
