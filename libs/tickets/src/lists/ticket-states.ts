import type { TicketState } from '#libs/entities';

/** Filters like a state, but a snoozed ticket keeps its state. */
export const SNOOZED = 'snoozed';
export type TicketStateFilter = TicketState | typeof SNOOZED;
