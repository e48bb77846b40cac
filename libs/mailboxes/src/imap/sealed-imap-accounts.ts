import { systemStatement } from '#libs/database';
import type { SealedTable } from '#libs/secret-box';

const REASON = 'Keys seal the passwords of every account';

export const SEALED_IMAP_ACCOUNTS: SealedTable = {
  samples: systemStatement(
    'sealed_imap_account_samples',
    REASON,
    `select distinct on (key_id) id, id as owner, sealed, key_id as "keyId",
       count(*) over (partition by key_id)::int as count
     from imap_accounts order by key_id, id`,
  ),
  others: systemStatement(
    'sealed_imap_accounts_others',
    REASON,
    `select id, id as owner, sealed, key_id as "keyId" from imap_accounts
     where key_id <> $1 and id > $2 order by id limit 500`,
  ),
  reseal: systemStatement(
    'sealed_imap_account_reseal',
    REASON,
    'update imap_accounts set sealed = $2, key_id = $3 where id = $1 and sealed = $4 and key_id = $5',
  ),
};
