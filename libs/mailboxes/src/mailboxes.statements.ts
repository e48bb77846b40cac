import { columns, systemStatement } from '#libs/database';
import { Mailbox } from '#libs/entities';
import type { SealedTable } from '#libs/secret-box';

export const FIND_MAILBOX = systemStatement(
  'operated_mailbox_find',
  'The operator names a mailbox of any account by its address',
  `select ${columns(Mailbox, 'm')} from mailboxes m where m.id = $1
   union all select ${columns(Mailbox, 'm')} from mailboxes m where m.email = $2 limit 2`,
);

/** Bounds the accounts checked for a signed address. */
const MAX_MAILBOXES = 20;

export const FIND_ROUTE = systemStatement(
  'mail_route_find',
  'An inbound mail names an address, and the mailbox determines the account',
  `select ${columns(Mailbox, 'm')},
     exists (select from outgoing_mails o where o.return_token = $2 and o.account_id = m.account_id) as returns
   from mailboxes m where m.email = any($1)
   order by m.email_since, m.id limit ${MAX_MAILBOXES}`,
);

const SEALED = 'Keys seal the secrets of every account';

function sealedTable(name: string, table: string, condition = 'true'): SealedTable {
  const row = 'id, id as owner, sealed, key_id as "keyId"';
  return {
    samples: systemStatement(
      `sealed_${name}_samples`,
      SEALED,
      `select distinct on (key_id) ${row}, count(*) over (partition by key_id)::int as count
       from ${table} where ${condition} order by key_id, id`,
    ),
    others: systemStatement(
      `sealed_${name}s_others`,
      SEALED,
      `select ${row} from ${table} where key_id <> $1 and id > $2 order by id limit 500`,
    ),
    reseal: systemStatement(
      `sealed_${name}_reseal`,
      SEALED,
      `update ${table} set sealed = $2, key_id = $3 where id = $1 and sealed = $4 and key_id = $5`,
    ),
  };
}

export const SEALED_IMAP_ACCOUNTS = sealedTable('imap_account', 'imap_accounts');
export const SEALED_SMTP_PASSWORDS = sealedTable('smtp_password', 'mailbox_smtp', 'sealed is not null');
