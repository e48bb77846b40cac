import { Conflict, type DomainError } from '#libs/entities';

/** A unique index refuses what two requests race to insert after the check. */
const TAKEN: Readonly<Record<string, () => DomainError>> = {
  agents_account_id_email_idx: () => new Conflict('agent_exists', 'An agent with this email already exists.'),
  customers_account_id_email_idx: () => new Conflict('customer_exists', 'A customer with this email already exists.'),
  customers_external_id_idx: () => externalIdTaken('customer'),
  tickets_external_id_idx: () => externalIdTaken('ticket'),
  groups_account_id_name_idx: () => new Conflict('group_exists', 'A group with this name already exists.'),
  mailboxes_account_id_name_idx: () => new Conflict('mailbox_exists', 'A mailbox with this name already exists.'),
  mailboxes_account_id_email_idx: () => new Conflict('mailbox_exists', 'A mailbox with this email already exists.'),
  saved_replies_name_idx: () =>
    new Conflict('saved_reply_exists', 'A saved reply with this name already exists. Choose another name.'),
  saved_views_account_name_idx: viewExists,
  saved_views_agent_name_idx: viewExists,
};

function externalIdTaken(record: 'customer' | 'ticket'): Conflict {
  return new Conflict('external_id_taken', `Another ${record} of the account has this external_id.`);
}

function viewExists(): Conflict {
  return new Conflict('view_exists', 'A view with this name already exists. Choose another name.');
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

export function toDomainError(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === UNIQUE_VIOLATION) return TAKEN[constraint ?? '']?.() ?? error;
  if (code === FOREIGN_KEY_VIOLATION)
    return new Conflict('changed_meanwhile', 'Something this refers to was removed at the same moment. Read it again.');
  return error;
}
