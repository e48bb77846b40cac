import { type AccountTx, Transactions, accountStatement } from '#libs/database';
import type { RevokedReason } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { DependentWebhooks } from './dependent-webhooks.js';

const REVOKE = accountStatement(
  'grants_revoke',
  `with revoked as (
     update grants set revoked_at = $3, revoked_reason = $4
     where account_id = $1 and id = any ($2::uuid[]) and revoked_at is null
     returning id, application_id, agent_id
   )
   select r.id, p.name as application, a.email as "accessOf"
   from revoked r join agents a on a.id = r.agent_id left join applications p on p.id = r.application_id`,
);

interface RevokedGrant {
  readonly id: string;
  /** Null where it was a personal access token. */
  readonly application: string | null;
  readonly accessOf: string;
}

@Injectable()
export class GrantsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly webhooks: DependentWebhooks,
  ) {}

  /**
   * Whatever was issued under them is dead in every process when this returns. Says how many were alive. Where an agent,
   * `by`, took access away from an application, that is an activity.
   */
  revoke(
    accountId: string,
    ids: readonly string[],
    { reason, by = null }: { reason: RevokedReason; by?: string | null },
  ): Promise<number> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const grants = await tx.rows<RevokedGrant>(REVOKE, [ids, now, reason]);
      const revokedIds = grants.map(({ id }) => id);
      await this.webhooks.disableOfGrants(tx, revokedIds, now);
      if (by !== null) await recordRevocations(tx, by, grants, now);
      return grants.length;
    });
  }
}

/** One activity for each application and agent, however many grants that were. */
async function recordRevocations(tx: AccountTx, by: string, grants: readonly RevokedGrant[], now: Date): Promise<void> {
  const actor = { agentId: by, applicationId: null, requestId: null };
  const distinct = new Map(grants.map((grant) => [`${grant.application} ${grant.accessOf}`, grant]));
  for (const { application, accessOf } of distinct.values()) {
    if (application === null) continue;
    const description = { ticketId: null, subject: application, detail: { access_of: accessOf } };
    await insertActivity(tx, actor, { kind: 'application_revoked', ...description }, now);
  }
}
