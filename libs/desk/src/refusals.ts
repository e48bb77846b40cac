import { Conflict, type DomainError } from '#libs/entities';

/** What a unique index refuses when two requests race past the check before it. */
const TAKEN: Readonly<Record<string, () => DomainError>> = {
  agents_account_id_email_idx: () => new Conflict('agent_exists', 'There already is an agent with this e-mail.'),
  customers_account_id_email_idx: () =>
    new Conflict('customer_exists', 'There already is a customer with this e-mail.'),
  groups_account_id_name_idx: () => new Conflict('group_exists', 'There already is a group with this name.'),
  mailboxes_account_id_name_idx: () => new Conflict('mailbox_exists', 'There already is a mailbox with this name.'),
  mailboxes_account_id_email_idx: () => new Conflict('mailbox_exists', 'There already is a mailbox with this e-mail.'),
};

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** The domain’s own error for what PostgreSQL refused. */
export function refusalOf(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === UNIQUE_VIOLATION) return TAKEN[constraint ?? '']?.() ?? error;
  if (code === FOREIGN_KEY_VIOLATION)
    return new Conflict('changed_meanwhile', 'Something this refers to was removed at the same moment. Read it again.');
  return error;
}
