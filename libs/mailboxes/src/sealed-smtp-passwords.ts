import { systemStatement } from '#libs/database';
import type { SealedTable } from '#libs/secret-box';

const REASON = 'Keys seal the secrets of every account';

export const SEALED_SMTP_PASSWORDS: SealedTable = {
  samples: systemStatement(
    'sealed_smtp_password_samples',
    REASON,
    `select distinct on (key_id) id, id as owner, sealed, key_id as "keyId",
       count(*) over (partition by key_id)::int as count
     from mailbox_smtp where sealed is not null order by key_id, id`,
  ),
  others: systemStatement(
    'sealed_smtp_passwords_others',
    REASON,
    `select id, id as owner, sealed, key_id as "keyId" from mailbox_smtp
     where key_id <> $1 and id > $2 order by id limit 500`,
  ),
  reseal: systemStatement(
    'sealed_smtp_password_reseal',
    REASON,
    'update mailbox_smtp set sealed = $2, key_id = $3 where id = $1 and sealed = $4 and key_id = $5',
  ),
};
