import { isUuid } from '#libs/database';
import type { Mailbox } from '#libs/entities';

/** People and things are named by what people call them or by id; a statement is asked for both, one of them null. */
export interface Reference {
  readonly name: string | null;
  readonly id: string | null;
}

export function parseReference(text: string | null | undefined): Reference {
  if (text === null || text === undefined) return { name: null, id: null };
  return isUuid(text) ? { name: null, id: text } : { name: text, id: null };
}

/** E-mail addresses are kept in lower case. */
export function parsePersonReference(text: string | null | undefined): Reference {
  const { name, id } = parseReference(text);
  return { name: name?.toLowerCase() ?? null, id };
}

type MailboxCondition = Partial<Pick<Mailbox, 'id' | 'name' | 'email'>>;

/** Finds a mailbox by name, e-mail or id. */
export const mailboxNamed = (text: string): [MailboxCondition, ...MailboxCondition[]] =>
  isUuid(text) ? [{ id: text }] : [{ name: text }, { email: text.toLowerCase() }];
