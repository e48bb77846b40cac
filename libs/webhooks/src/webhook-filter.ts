import type { AccountConnection } from '#libs/database';
import { InvalidField, type WebhookFilter } from '#libs/entities';
import { type CompiledFilter, compileFilter, matchesTerms, termsOf } from '#libs/filters';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { findUnknownName, loadTicketsOfEvents } from './webhook-filter.statements.js';

/** Only events of tickets and of their messages can be filtered. */
export const takesFilter = (event: string): boolean =>
  ['Ticket', 'Message'].includes(EVENT_KINDS[event as EventKind].record);

/** One statement if the filter names records. */
export async function compileWebhookFilter(
  connection: AccountConnection,
  events: readonly string[],
  filter: string | null,
): Promise<WebhookFilter> {
  if (filter === null) return { filter, filterAll: null, filterNone: null };
  const { all, none } = await compileKnown(connection, events, filter);
  return { filter, filterAll: all, filterNone: none };
}

/** Of the last events of the kind. */
export interface FilterPreview {
  readonly matched: number;
  readonly of: number;
}

export async function previewFilter(
  account: AccountConnection,
  event: EventKind,
  text: string,
): Promise<FilterPreview> {
  const filter = await compileKnown(account, [event], text);
  const tickets = await loadTicketsOfEvents(account, event);
  return { matched: tickets.filter((ticket) => matchesTerms(filter, termsOf(ticket))).length, of: tickets.length };
}

/** Refuses a record that does not exist, because it is probably misspelt. */
async function compileKnown(
  connection: AccountConnection,
  events: readonly string[],
  text: string,
): Promise<CompiledFilter> {
  const unfiltered = events.find((event) => !takesFilter(event));
  if (unfiltered !== undefined)
    throw new InvalidField(
      'filter',
      'filter_not_possible',
      `filter: ${unfiltered} has no ticket, so it takes no filter`,
    );
  const compiled = compileFilter(text);
  const unknown = compiled.names.length > 0 && (await findUnknownName(connection, compiled.names));
  if (unknown)
    throw new InvalidField(
      'filter',
      `unknown_${unknown.operator}`,
      `filter: there is no ${unknown.operator} ${unknown.name}`,
    );
  return compiled;
}
