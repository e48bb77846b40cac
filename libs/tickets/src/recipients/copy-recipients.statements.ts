import { type AccountConnection, accountStatement } from '#libs/database';
import { InvalidField, withoutTokens } from '#libs/entities';
import { type MailRecipients, addressKey, distinctAddresses, othersIn, withoutTag } from '#libs/mail';

/** Each copy is an email of its own, and an email to more people is rather an announcement. */
export const MAX_CC = 20;

export type AddressedMail = MailRecipients & { readonly from: { readonly address: string } };

/** Empty if there are more people than a reply may have: choosing some would be a guess. */
export async function findPeopleInCopy(account: AccountConnection, mail: AddressedMail, known: readonly string[]) {
  const others = othersIn(mail, known);
  if (others.length === 0) return [];
  const { ofMailboxes, ofAgents } = await findOwnAddresses(account, others);
  const people = others.filter((address) => !ofMailboxes.has(address) && !ofAgents.has(address));
  return people.length > MAX_CC ? [] : people;
}

/** Refuses addresses of our own mailboxes, because the mail would come back. */
export async function acceptCc(account: AccountConnection, cc: readonly string[], customer: string): Promise<string[]> {
  const wanted = distinctAddresses(cc.map((address) => address.toLowerCase())).filter(
    (address) => addressKey(address) !== addressKey(customer),
  );
  if (wanted.length === 0) return [];
  const { ofMailboxes } = await findOwnAddresses(account, wanted);
  const [own] = ofMailboxes;
  if (own !== undefined)
    throw new InvalidField('cc', 'own_address', `${own} is an address of this account, so the mail would come back`);
  return wanted;
}

export function refuseCcOfNote(cc: readonly string[]): void {
  if (cc.length > 0) throw new InvalidField('cc', 'cc_of_note', 'a note is for agents only and is never emailed');
}

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

interface OwnAddresses {
  readonly ofMailboxes: ReadonlySet<string>;
  readonly ofAgents: ReadonlySet<string>;
}

/** Also finds addresses with a tag or a token. */
async function findOwnAddresses(account: AccountConnection, addresses: readonly string[]): Promise<OwnAddresses> {
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
  const plain = [address, withoutTokens(address), withoutTag(address)];
  return [...new Set([...plain, ...plain.map(addressKey)])];
}
