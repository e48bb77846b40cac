import { type AccountTx, accountStatement } from '#libs/database';
import { Conflict, Forbidden, type Webhook, manages } from '#libs/entities';
import type { WebhookOwner } from './webhook-owner.js';

const LIVE = accountStatement(
  'webhook_grant_live',
  `select 1 from grants g left join applications p on p.id = g.application_id
   where g.account_id = $1 and g.id = $2 and g.revoked_at is null and p.disabled_at is null`,
);

/**
 * What a webhook sends leaves the account, so the console keeps webhooks for managers, and so do the tokens that people
 * make for themselves. An application was let in by the operator; it makes webhooks whoever it acts for.
 */
export function requireMakerOfWebhooks({ applicationId, role }: WebhookOwner): void {
  if (applicationId === null && !manages(role))
    throw new Forbidden('role_not_allowed', 'Only owners and admins, and applications, may make webhooks.');
}

/**
 * Before a disabled webhook runs again. Its maker's access carries it from now on; anybody else can only turn on what
 * the maker may still have, because a webhook sends an account's data to whoever made it.
 */
export async function restoreWebhookAccess(tx: AccountTx, owner: WebhookOwner, webhook: Webhook): Promise<void> {
  // What the operator stopped endangers the installation, or others; nobody in the account can know that it no longer does.
  if (webhook.disabledReason === 'operator')
    throw new Conflict(
      'disabled_by_operator',
      'The operator of this installation stopped this webhook. Ask them to start it again.',
    );
  if (isMaker(owner, webhook)) webhook.grantId = owner.grantId;
  else if (webhook.grantId !== null && !(await tx.row(LIVE, [webhook.grantId])))
    throw new Conflict('access_revoked', 'The access under which this webhook was made has ended.');
}

function isMaker(owner: WebhookOwner, webhook: Webhook): boolean {
  if (owner.applicationId !== webhook.applicationId) return false;
  return owner.applicationId !== null || owner.agentId === webhook.agentId;
}
