import type { Ticket } from '#libs/entities';

/** The values of a ticket that filters compare, as its payload shows them. */
export interface FilteredTicket extends Pick<Ticket, 'state' | 'priority' | 'tags'> {
  readonly mailbox: string;
  readonly mailboxId: string;
  readonly assignee: string | null;
  readonly group: string | null;
}

/** As people write it. Its term has no value, because a group may have this name. */
export const NONE = 'none';

/** Each is an operator and a value: `tag:vip`, `priority:`. */
export const termsOf = ({ tags, mailbox, mailboxId, priority, assignee, group, state }: FilteredTicket): string[] => [
  ...tags.map((tag) => termOf('tag', tag)),
  termOf('mailbox', mailbox),
  termOf('mailbox', mailboxId),
  termOf('priority', priority ?? ''),
  termOf('assignee', assignee ?? ''),
  termOf('group', group ?? ''),
  termOf('is', state),
];

export const termsOfTicket = ({ mailbox, assignee, assignedGroup, ...ticket }: Ticket): string[] =>
  termsOf({
    ...ticket,
    mailbox: mailbox.name,
    mailboxId: mailbox.id,
    assignee: assignee?.email ?? null,
    group: assignedGroup?.name ?? null,
  });

export const termOf = (operator: string, value: string): string => `${operator}:${folded(value)}`;

/** Makes the comparison ignore case, composition and white space. A term is one line, because terms are joined by lines. */
export const folded = (value: string): string => value.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
