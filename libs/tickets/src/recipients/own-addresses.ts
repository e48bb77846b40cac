import { type AccountConnection, accountStatement } from '#libs/database';
import { addressKey, withoutTag } from './mail-people.js';
import { withoutToken } from './reply-addresses.service.js';

/** Includes the user names of mailboxes at their mail servers. */
const FIND = accountStatement(
  'own_addresses_find',
  `select distinct asked.address, asked.kind from (
     select a.address, case when exists (
         select from mailboxes m where m.account_id = $1 and m.email = a.form
         union all select from imap_accounts i where i.account_id = $1 and lower(i.username) = a.form
         union all select from mailbox_smtp p join mailboxes m on m.id = p.id where m.account_id = $1 and lower(p.username) = a.form
       ) then 'mailbox' when exists (select from agents g where g.account_id = $1 and g.email = a.form) then 'agent' end as kind
     from unnest($2::text[], $3::text[]) a (address, form)
   ) asked where asked.kind is not null`,
);

export interface OwnAddresses {
  readonly ofMailboxes: ReadonlySet<string>;
  readonly ofAgents: ReadonlySet<string>;
}

/** Finds the addresses that belong to the account itself, also with a tag or a token. */
export async function findOwnAddresses(
  account: AccountConnection,
  addresses: readonly string[],
): Promise<OwnAddresses> {
  const forms = addresses.flatMap((address) => formsOf(address).map((form) => [address, form] as const));
  const rows = await account.rows<{ address: string; kind: 'mailbox' | 'agent' }>(FIND, [
    forms.map(([address]) => address),
    forms.map(([, form]) => form),
  ]);
  const of = (wanted: string): Set<string> =>
    new Set(rows.filter(({ kind }) => kind === wanted).map(({ address }) => address));
  return { ofMailboxes: of('mailbox'), ofAgents: of('agent') };
}

function formsOf(address: string): string[] {
  const plain = [address, withoutToken(address), withoutTag(address)];
  return [...new Set([...plain, ...plain.map(addressKey)])];
}
