import { isUuid } from '#libs/database';
import type { Mailbox } from '#libs/entities';

/** Names a record by name or by id. Statements take both, one of them null. */
export interface Reference {
  readonly name: string | null;
  readonly id: string | null;
}

export function parseReference(text: string | null | undefined): Reference {
  if (text === null || text === undefined) return { name: null, id: null };
  return isUuid(text) ? { name: null, id: text } : { name: text, id: null };
}

/** E-mail addresses are stored in lower case. */
export function parsePersonReference(text: string | null | undefined): Reference {
  const { name, id } = parseReference(text);
  return { name: name?.toLowerCase() ?? null, id };
}

type MailboxCondition = Partial<Pick<Mailbox, 'id' | 'name' | 'email'>>;

/** By name, e-mail or id. */
export const mailboxNamed = (text: string): [MailboxCondition, ...MailboxCondition[]] =>
  isUuid(text) ? [{ id: text }] : [{ name: text }, { email: text.toLowerCase() }];
