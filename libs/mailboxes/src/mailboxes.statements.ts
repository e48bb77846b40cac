import { columns, systemStatement } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { sealedTable } from '#libs/secret-box';

export const FIND_MAILBOX = systemStatement(
  'operator_mailbox_find',
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
   from mailboxes m where m.email = $1
   order by m.email_since, m.id limit ${MAX_MAILBOXES}`,
);

export const LIST_TAGGED_ADDRESSES = systemStatement(
  'mailboxes_tagged',
  'The operator looks for addresses that no mailbox may have, in all accounts',
  `select distinct email from mailboxes where email like '%+%.%@%' order by email`,
);

export const SEALED_IMAP_ACCOUNTS = sealedTable('imap_accounts');
export const SEALED_SMTP_PASSWORDS = sealedTable('mailbox_smtp');
