import type { TicketState } from '#libs/entities';

/** A snoozed ticket keeps its state, so this finds it in any. */
export const SNOOZED = 'snoozed';
export type TicketStateFilter = TicketState | typeof SNOOZED;
