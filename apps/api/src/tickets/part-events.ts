import { type EventKind, TICKET_PARTS, type TicketPart, isEventKind } from '#libs/payloads';

/** The kinds of events that a change of these parts may emit. */
export function eventsOfParts(parts: readonly TicketPart[]): EventKind[] {
  const kinds = parts.flatMap((part): readonly string[] => {
    const { activity } = TICKET_PARTS[part];
    return typeof activity === 'string' ? [activity] : Object.values(activity);
  });
  return [...new Set(kinds)].filter(isEventKind);
}

export const ANY_PART_EVENTS = eventsOfParts(Object.keys(TICKET_PARTS) as TicketPart[]);
