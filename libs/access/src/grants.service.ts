import { type AccountTx, Clock, Database, Transactions, accountStatement, systemStatement } from '#libs/database';
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

const REVOKE_BY_TOKEN = systemStatement(
  'grant_revoke_found',
  'Runs for the grant of a code or token that its own application has just shown',
  `update grants set revoked_at = $3, revoked_reason = $2 where id = $1 and revoked_at is null
   returning account_id as "accountId"`,
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
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly webhooks: DependentWebhooks,
  ) {}

  /**
   * Whatever was issued under them is dead in every process when this returns. Says which were alive. Where an agent,
   * `by`, took access away from an application, that is an activity.
   */
  revoke(
    accountId: string,
    ids: readonly string[],
    { reason, by = null }: { reason: RevokedReason; by?: string | null },
  ): Promise<string[]> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const grants = await tx.rows<RevokedGrant>(REVOKE, [ids, now, reason]);
      const revokedIds = grants.map(({ id }) => id);
      await this.webhooks.disableOfGrants(tx, revokedIds, now);
      if (by !== null) await recordRevocations(tx, by, grants, now);
      return revokedIds;
    });
  }

  /** In a transaction of its own: in one that then fails, the revocation would be undone. */
  revokeById(id: string, reason: RevokedReason): Promise<void> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const revoked = await tx.row<{ accountId: string }>(REVOKE_BY_TOKEN, [id, reason, now]);
      if (revoked) await this.webhooks.disableOfGrants(tx.account(revoked.accountId), [id], now);
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
