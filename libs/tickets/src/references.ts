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

/** A subquery, so that the list is read from the index of this column. People are named by email, others by name. */
export function pointsAt(conditions: Conditions, column: string, table: NamedTable, text: string): string {
  const nameColumn = table === 'groups' || (table === 'mailboxes' && !text.includes('@')) ? 'name' : 'email';
  const { name, id } = nameColumn === 'name' ? parseReference(text) : parsePersonReference(text);
  const found = id === null ? `${nameColumn} = ${conditions.bind(name)}` : `id = ${conditions.bind(id)}`;
  return `${column} = (select id from ${table} where account_id = $1 and ${found})`;
}

type NamedTable = 'agents' | 'customers' | 'groups' | 'mailboxes';

export const unknownReference = (field: string): InvalidField =>
  new InvalidField(field, `unknown_${field}`, `${field} does not exist in this account`);
