export const INCLUDED = ['messages', 'customer'] as const;
export type Included = (typeof INCLUDED)[number];

/** Most tickets have fewer. Keeps a page of fifty tickets small. */
export const MAX_INCLUDED_MESSAGES = 25;
