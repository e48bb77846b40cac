import type { AccountTx } from '#libs/database';
import { type Agent, TooMany } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { invitationLimits } from './throttle-limits.js';
import { ThrottlesService } from './throttles.service.js';
import { revokeGrantsOfAgent } from './grant.statements.js';
import { DependentWebhooks } from './dependent-webhooks.js';
import { signOutEverywhere } from './session.statements.js';

@Injectable()
export class AgentAccessService {
  constructor(
    private readonly webhooks: DependentWebhooks,
    private readonly throttles: ThrottlesService,
  ) {}

  async end(tx: AccountTx, agent: Agent, now: Date): Promise<void> {
    await signOutEverywhere(tx, agent.id);
    const grantIds = await revokeGrantsOfAgent(tx, agent.id, now);
    // A restored agent’s webhooks stay as owners and admins left them.
    const ended = agent.state === 'archived' ? { grantIds, makerId: agent.id } : { grantIds };
    await this.webhooks.disableOfAccess(tx, ended, now);
  }

  /** Counts before the work, so that parallel requests are counted too. */
  async limitInvitations<T>(accountId: string, email: string, invite: () => Promise<T>): Promise<T> {
    const limits = invitationLimits(accountId, email);
    const seconds = await this.throttles.consume(limits);
    const wait = seconds > 3600 ? `${Math.ceil(seconds / 3600)} h` : `${Math.ceil(seconds / 60)} min`;
    const sentence = `Too many invitations. Those that were sent before still work for a week. Try again in ${wait}.`;
    if (seconds > 0) throw new TooMany('too_many_invitations', sentence, seconds);
    return invite().catch(async (error: unknown) => {
      await this.throttles.release(limits);
      throw error;
    });
  }
}
