import { Database, systemStatement } from '#libs/database';
import type { DisabledReason } from '#libs/entities';

/** The webhook ends for good, and what was owed to it with it. Rows in the order of their ids, as everywhere. */
const DISABLE = systemStatement(
  'webhook_disable',
  'The rules on receivers that are gone or keep failing hold in every account',
  `with disabled as (
     update webhooks set state = 'disabled', disabled_reason = $2, updated_at = $3
     where id = $1 and state <> 'disabled' returning id, account_id
   ), no_longer_owed as (
     delete from owed_deliveries where delivery_id in (
       select o.delivery_id from owed_deliveries o join disabled w on w.id = o.webhook_id order by o.delivery_id for update of o)
     returning delivery_id
   ), cancelled as (
     update deliveries d set state = 'cancelled', next_attempt_at = null, finished_at = $3
     from no_longer_owed o where d.id = o.delivery_id and d.state = 'pending'
   )
   select account_id as "accountId" from disabled`,
);

/** The account's id, or undefined where it was disabled already. */
export async function disableWebhook(
  database: Database,
  { webhookId, reason, now }: { webhookId: string; reason: DisabledReason; now: Date },
): Promise<string | undefined> {
  return (await database.system().row<{ accountId: string }>(DISABLE, [webhookId, reason, now]))?.accountId;
}
