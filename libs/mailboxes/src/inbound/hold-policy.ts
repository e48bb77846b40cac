import type { Arrival } from '#libs/entities';
import type { ArrivalPlace } from './arrival-place.js';

/** Of one sender within an hour. A person writes fewer, and a program that writes more is shown before it fills the desk. */
export const MAX_STARTED_TICKETS = 20;

/** One that nobody has looked at for so long is discarded. */
export const HELD_MAILS_KEPT_DAYS = 30;

export const HOLD_REASONS = [
  'own_mail',
  'agent_address',
  'agent_without_token',
  'agent_unproven',
  'agent_automatic',
  'agent_empty',
  'agent_ticket_deleted',
  'too_many',
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

/**
 * Why a mail waits for a person, or null. `From:` is a claim: who writes with an agent’s address may be anybody, and would
 * otherwise be shown to colleagues as that agent.
 */
export function holdReason(
  { isOwn, isAgent, ticket, startedTickets }: ArrivalPlace,
  { receivedAt }: Pick<Arrival, 'receivedAt'>,
): HoldReason | null {
  if (isOwn) return 'own_mail';
  if (isAgent) return 'agent_address';
  // Older mail is as much as it is, and its tickets are closed.
  const isStart = receivedAt === null && ticket === null;
  return isStart && startedTickets >= MAX_STARTED_TICKETS ? 'too_many' : null;
}
