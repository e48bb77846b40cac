import { isUuid } from '#libs/database';
import { InvalidField, type Mailbox } from '#libs/entities';
import type { Conditions } from '#libs/lists';

/** Names a record by name or by id. Statements take both, one of them null. */
interface Reference {
  readonly name: string | null;
  readonly id: string | null;
}

export function parseReference(text: string | null | undefined): Reference {
  if (text === null || text === undefined) return { name: null, id: null };
  return isUuid(text) ? { name: null, id: text } : { name: text, id: null };
}

/** Email addresses are stored in lower case. */
export function parsePersonReference(text: string | null | undefined): Reference {
  const { name, id } = parseReference(text);
  return { name: name?.toLowerCase() ?? null, id };
}

type MailboxCondition = Partial<Pick<Mailbox, 'id' | 'name' | 'email'>>;

/** By name, email or id. */
export const mailboxNamed = (text: string): [MailboxCondition, ...MailboxCondition[]] =>
  isUuid(text) ? [{ id: text }] : [{ name: text }, { email: text.toLowerCase() }];

/** The customer who had the address before. */
export const formerOwner = (email: string): string =>
  `select customer_id as id from former_emails where account_id = $1 and email = ${email}`;

/** A subquery, so that the list is read from the index of this column. People are named by email, others by name. */
export function pointsAt(conditions: Conditions, column: string, table: NamedTable, text: string): string {
  const nameColumn = table === 'groups' || (table === 'mailboxes' && !text.includes('@')) ? 'name' : 'email';
  const { name, id } = nameColumn === 'name' ? parseReference(text) : parsePersonReference(text);
  const key = conditions.bind(name ?? id);
  const found = `(select id from ${table} where account_id = $1 and ${id === null ? nameColumn : 'id'} = ${key})`;
  return `${column} = ${table === 'customers' && id === null ? `coalesce(${found}, (${formerOwner(key)}))` : found}`;
}

type NamedTable = 'agents' | 'customers' | 'groups' | 'mailboxes';

export const unknownReference = (field: string): InvalidField =>
  new InvalidField(field, `unknown_${field}`, `${field} does not exist in this account`);
