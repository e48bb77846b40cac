/** What can come within a ticket. */
export const INCLUDED = ['messages', 'customer'] as const;
export type Included = (typeof INCLUDED)[number];

/** Of one ticket. Most have fewer, and a page of fifty tickets stays one answer. */
export const MAX_INCLUDED_MESSAGES = 25;
