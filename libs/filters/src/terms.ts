import type { Ticket } from '#libs/entities';

/** The values that filters compare, as the payload of the ticket shows them. */
export type FilteredTicket = Pick<Ticket, 'state' | 'priority' | 'tags' | 'mailbox' | 'assignee' | 'assignedGroup'>;

/** Each is an operator and a value, which is empty for `none`, because a group may have that name. */
export const termsOf = ({ tags, mailbox, priority, assignee, assignedGroup, state }: FilteredTicket): string[] => [
  ...tags.map((tag) => termOf('tag', tag)),
  termOf('mailbox', mailbox.name),
  termOf('mailbox', mailbox.id),
  termOf('priority', priority ?? ''),
  termOf('assignee', assignee?.email ?? ''),
  termOf('group', assignedGroup?.name ?? ''),
  termOf('is', state),
];

export const termOf = (operator: string, value: string): string => `${operator}:${folded(value)}`;

/** Case, composition and white space make no difference. Terms are single lines, because line breaks separate them. */
export const folded = (value: string): string => value.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
