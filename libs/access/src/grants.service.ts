import { type AccountTx, type SystemConnection, Transactions } from '#libs/database';
import type { RevokedReason } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { REVOKE_GRANTS, REVOKE_GRANTS_OF_AGENT } from './grant.statements.js';
import { signOutEverywhere } from './session.statements.js';

/** Disables webhooks. The app provides it, because this library cannot import webhooks. */
export abstract class DependentWebhooks {
  abstract disableOfGrants(tx: AccountTx, grantIds: readonly string[], now: Date): Promise<void>;
  /** Returns how many were enabled. */
  abstract disableOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<number>;
}

interface RevokedGrant {
  readonly id: string;
  readonly application: string | null;
  readonly accessOf: string;
}

@Injectable()
export class GrantsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly webhooks: DependentWebhooks,
  ) {}

  /** Records an activity if an agent, `by`, revokes an application. Returns how many grants were alive. */
  revoke(
    accountId: string,
    ids: readonly string[],
    { reason, by = null }: { reason: RevokedReason; by?: string | null },
  ): Promise<number> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const grants = await tx.rows<RevokedGrant>(REVOKE_GRANTS, [ids, now, reason]);
      const revokedIds = grants.map(({ id }) => id);
      await this.webhooks.disableOfGrants(tx, revokedIds, now);
      if (by !== null) await recordRevocations(tx, by, grants, now);
      return grants.length;
    });
  }
}

/** Records one activity for each application and agent. */
async function recordRevocations(tx: AccountTx, by: string, grants: readonly RevokedGrant[], now: Date): Promise<void> {
  const actor = { agentId: by, applicationId: null, requestId: null };
  const distinct = new Map(grants.map((grant) => [`${grant.application} ${grant.accessOf}`, grant]));
  for (const { application, accessOf } of distinct.values()) {
    if (application === null) continue;
    const description = { ticketId: null, subject: application, detail: { access_of: accessOf } };
    await insertActivity(tx, actor, { kind: 'application_revoked', ...description }, now);
  }
}

@Injectable()
export class AgentAccessService {
  constructor(private readonly webhooks: DependentWebhooks) {}

  async end(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    await signOutEverywhere(tx, agentId);
    const grants = await tx.rows<{ id: string }>(REVOKE_GRANTS_OF_AGENT, [agentId, now]);
    const ids = grants.map(({ id }) => id);
    await this.webhooks.disableOfGrants(tx, ids, now);
  }
}
