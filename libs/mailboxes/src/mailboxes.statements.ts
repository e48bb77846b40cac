import { type SystemConnection, columns, hydrate, isUuid, systemStatement } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { sealedTable } from '#libs/secret-box';

const FIND_MAILBOX = systemStatement(
  'operator_mailbox_find',
  'The operator names a mailbox of any account by its address',
  `select ${columns(Mailbox, 'm')} from mailboxes m where m.id = $1
   union all select ${columns(Mailbox, 'm')} from mailboxes m where m.email = $2 limit 2`,
);

/** Two if several accounts have the address. */
export async function findMailboxes(db: SystemConnection, addressOrId: string): Promise<Mailbox[]> {
  const values = isUuid(addressOrId) ? [addressOrId, null] : [null, addressOrId.toLowerCase()];
  return (await db.rows(FIND_MAILBOX, values)).map((row) => hydrate(Mailbox, row, 'm')!);
}

/** Bounds the accounts checked for a signed address. */
const MAX_MAILBOXES = 20;

const FIND_ROUTE = systemStatement(
  'mail_route_find',
  'An inbound mail names an address, and the mailbox determines the account',
  `select ${columns(Mailbox, 'm')},
     exists (select from outgoing_mails o where o.return_token = $2 and o.account_id = m.account_id) as returns
   from mailboxes m where m.email = $1
   order by m.email_since, m.id limit ${MAX_MAILBOXES}`,
);

export interface AddressRoute {
  readonly mailbox: Mailbox;
  /** The account sent an email with this Return-Path. */
  readonly returns: boolean;
}

export async function findRoutes(
  db: SystemConnection,
  { address, returnToken }: { readonly address: string; readonly returnToken: string | null },
): Promise<AddressRoute[]> {
  const rows = await db.rows(FIND_ROUTE, [address, returnToken]);
  return rows.map((row) => ({ mailbox: hydrate(Mailbox, row, 'm')!, returns: row['returns'] === true }));
}

const LIST_TAGGED_ADDRESSES = systemStatement(
  'mailboxes_tagged',
  'The operator looks for addresses that no mailbox may have, in all accounts',
  `select distinct email from mailboxes where email like '%+%.%@%' order by email`,
);

export async function listTaggedAddresses(db: SystemConnection): Promise<string[]> {
  return (await db.rows<{ email: string }>(LIST_TAGGED_ADDRESSES)).map(({ email }) => email);
}

export const SEALED_IMAP_ACCOUNTS = sealedTable('imap_accounts');
export const SEALED_SMTP_PASSWORDS = sealedTable('mailbox_smtp');
