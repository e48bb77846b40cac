import { type AccountTx, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DependentWebhooks } from './dependent-webhooks.js';
import { signOutEverywhere } from './session-endings.js';

const REVOKE_GRANTS = accountStatement(
  'agent_revoke_grants',
  `update grants set revoked_at = $3, revoked_reason = 'agent_archived'
   where account_id = $1 and agent_id = $2 and revoked_at is null returning id`,
);

@Injectable()
export class AgentAccessService {
  constructor(private readonly webhooks: DependentWebhooks) {}

  /** Every session, link, grant and token of one agent ends, and the webhooks made with them. Whoever comes back signs in again. */
  async end(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    await signOutEverywhere(tx, agentId);
    const grants = await tx.rows<{ id: string }>(REVOKE_GRANTS, [agentId, now]);
    const ids = grants.map(({ id }) => id);
    await this.webhooks.disableOfGrants(tx, ids, now);
  }
}
