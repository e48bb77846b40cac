import { systemStatement } from '#libs/database';
import type { SealedTable } from '#libs/secret-box';

const REASON = 'Keys seal the secrets of every account';

export const SEALED_WEBHOOK_SECRETS: SealedTable = {
  samples: systemStatement(
    'sealed_webhook_secret_samples',
    REASON,
    `select distinct on (key_id) id, webhook_id as owner, sealed, key_id as "keyId",
       count(*) over (partition by key_id)::int as count
     from webhook_secrets order by key_id, id`,
  ),
  others: systemStatement(
    'sealed_webhook_secrets_others',
    REASON,
    `select id, webhook_id as owner, sealed, key_id as "keyId" from webhook_secrets
     where key_id <> $1 and id > $2 order by id limit 500`,
  ),
  reseal: systemStatement(
    'sealed_webhook_secret_reseal',
    REASON,
    'update webhook_secrets set sealed = $2, key_id = $3 where id = $1 and sealed = $4 and key_id = $5',
  ),
};
