import { type AccountTx, accountStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { DependentWebhooks } from './dependent-webhooks.js';

const END = accountStatement(
  'agent_end_access',
  `with signed_out as (delete from sessions where account_id = $1 and agent_id = $2),
   links as (delete from single_use_links where account_id = $1 and agent_id = $2)
   update grants set revoked_at = $3, revoked_reason = 'agent_archived'
   where account_id = $1 and agent_id = $2 and revoked_at is null returning id`,
);

@Injectable()
export class AgentAccessService {
  constructor(private readonly webhooks: DependentWebhooks) {}

  /** Every session, link, grant and token of one agent ends, and the webhooks made with them. Whoever comes back signs in again. */
  async end(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    const grants = await tx.rows<{ id: string }>(END, [agentId, now]);
    await this.webhooks.disableOfGrants(
      tx,
      grants.map(({ id }) => id),
      now,
    );
  }
}
