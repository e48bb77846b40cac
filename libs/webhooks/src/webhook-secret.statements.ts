import { type AccountTx, type SystemConnection, accountStatement, systemStatement } from '#libs/database';
import type { WebhookSecret } from '#libs/entities';
import { sealedTable } from '#libs/secret-box';

/** Each secret signs every delivery. */
const MAX_LIVE = 5;

const LIVE = accountStatement(
  'webhook_secrets_live',
  `select id, sealed, key_id as "keyId", created_at as "createdAt", expires_at as "expiresAt" from webhook_secrets
   where account_id = $1 and webhook_id = $2 and signs and (expires_at is null or expires_at > $3)
   order by created_at desc, id desc`,
);

export const readLiveSecrets = (tx: AccountTx, webhookId: string, now: Date): Promise<WebhookSecret[]> =>
  tx.rows<WebhookSecret>(LIVE, [webhookId, now]);

const SUPERSEDE = accountStatement(
  'webhook_secrets_supersede',
  `with aged as (
     select id, row_number() over (order by created_at desc, id desc) as age from webhook_secrets
     where account_id = $1 and webhook_id = $2 and signs and (expires_at is null or expires_at > $3)
   )
   update webhook_secrets s set expires_at = case when age < ${MAX_LIVE} then least(s.expires_at, $4) else $3 end
   from aged where s.id = aged.id`,
);

/** An earlier end stays. Beyond the limit the oldest ends now. */
export async function supersedeSecrets(tx: AccountTx, webhookId: string, { now, until }: { now: Date; until: Date }) {
  await tx.rows(SUPERSEDE, [webhookId, now, until]);
}

const DELETE_REPLACED = systemStatement(
  'webhook_secrets_delete_replaced',
  'Upkeep deletes expired rows of all accounts',
  "delete from webhook_secrets where expires_at < $1::timestamptz - interval '1 day' returning 1",
);

/** Secrets are kept for a day after their end. */
export async function deleteReplacedSecrets(db: SystemConnection, now: Date): Promise<number> {
  return (await db.rows(DELETE_REPLACED, [now])).length;
}

export const SEALED_WEBHOOK_SECRETS = sealedTable('webhook_secrets', { owner: 'webhook_id' });
