import type { AccountConnection } from '#libs/database';
import { compileFilter, invalidFilter, matchesTerms, termsOf } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { findUnknownName, loadTicketsOfEvents } from './webhook-filter.statements.js';

export interface Filtering {
  readonly events: readonly string[];
  readonly filter?: string | null | undefined;
}

/** Only events of tickets and of their messages can be filtered. */
export const takesFilter = (event: string): boolean =>
  ['Ticket', 'Message'].includes(EVENT_KINDS[event as EventKind].record);

export async function compileWebhookFilter(connection: AccountConnection, wanted: Filtering) {
  if (!wanted.filter) return { filter: null, filterAll: null, filterNone: null };
  const terms = await compileKnown(connection, wanted);
  const termsWith = (minus: boolean) => terms.filter(({ excluded }) => excluded === minus).map(({ term }) => term);
  return { filter: wanted.filter, filterAll: termsWith(false), filterNone: termsWith(true) };
}

export async function previewFilter(connection: AccountConnection, wanted: Filtering) {
  const terms = await compileKnown(connection, wanted);
  const tickets = [];
  for (const event of wanted.events) tickets.push(...(await loadTicketsOfEvents(connection, event)));
  return { matched: tickets.filter((ticket) => matchesTerms(terms, termsOf(ticket))).length, of: tickets.length };
}

/** Refuses the name of a record that does not exist, because it is probably misspelt. One round trip. */
async function compileKnown(connection: AccountConnection, { events, filter }: Filtering) {
  const other = events.find((event) => !takesFilter(event));
  if (other) throw invalidFilter(`${other} takes none, because it has no ticket`);
  const terms = compileFilter(filter ?? '');
  const unknown = await findUnknownName(connection, terms);
  if (unknown) throw invalidFilter(`${unknown} names no record of this account`);
  return terms;
}
