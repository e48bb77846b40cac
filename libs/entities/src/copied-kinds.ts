/** The records in the feed of changes, each after the records that it refers to. */
export const COPIED_KINDS = ['agent', 'group', 'mailbox', 'customer', 'ticket', 'message', 'attachment'] as const;
export type CopiedKind = (typeof COPIED_KINDS)[number];
