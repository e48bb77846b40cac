import type { AccountTx } from '#libs/database';
import { type ActivityDetail, Customer, type Ticket } from '#libs/entities';
import { type DomainEvent, type EventsService, describeTicketActivity } from '#libs/events';
import { type EventKind, type Links, RECORDS, TICKET_PARTS, type TicketPart, isEventKind } from '#libs/payloads';
import type { RequestContext } from './request-context.js';
import { indexTicket } from './search/search-index.statements.js';
import type { TicketChange } from './ticket-changes.js';
import { saveTicket } from './ticket.statements.js';

type Payload = Readonly<Record<string, unknown>>;

interface ChangesToApply {
  readonly ticket: Ticket;
  readonly changes: readonly TicketChange[];
  readonly now: Date;
}

/** Changes the locked ticket, but saves nothing. */
export async function applyChanges(tx: AccountTx, links: Links, { ticket, changes, now }: ChangesToApply) {
  const before: Payload = RECORDS.Ticket(ticket, links);
  const changed: TicketPart[] = [];
  const added: DomainEvent[] = [];
  for (const { part, apply } of changes) {
    const outcome = await apply(ticket, now, tx);
    if (outcome) changed.push(part);
    if (outcome instanceof Customer) added.push(['customer_added', outcome]);
  }
  return { ticket, before, changed, added };
}

/** Saves the ticket if it changed, and records the events. Two fields can share one, such as agent and group. */
export async function saveChanges(
  tx: AccountTx,
  events: EventsService,
  context: RequestContext,
  { ticket, before, changed, added }: Awaited<ReturnType<typeof applyChanges>>,
): Promise<void> {
  if (changed.length === 0) return;
  await saveTicket(tx, ticket);
  if (changed.some((part) => part === 'title' || part === 'tags')) indexTicket(tx, ticket);
  await events.record(tx, context, ...added);
  const after: Payload = RECORDS.Ticket(ticket, events.links);
  const partsOf = (kind: string) => changed.filter((part) => activityOf(part, ticket) === kind);
  const changesOf = (kind: string) =>
    Object.fromEntries(partsOf(kind).map((part) => [part, [before[part], after[part]] as const]));
  const kinds = new Set(changed.map((part) => activityOf(part, ticket)));
  const recorded = [...kinds].filter((kind): kind is TicketEventKind => isEventKind(kind));
  await events.record(tx, context, ...recorded.map((kind) => [kind, ticket, changesOf(kind)] as const));
  for (const kind of kinds) {
    if (isEventKind(kind)) continue;
    const detail = newValues(partsOf(kind), ticket, events.links);
    // Custom fields can be large.
    const changes = kind === 'ticket_fields_changed' ? null : changesOf(kind);
    await events.recordActivity(tx, context, kind, describeTicketActivity(ticket, detail, changes));
  }
}

/** Under the names of the API. */
function newValues(parts: readonly TicketPart[], ticket: Ticket, links: Links): ActivityDetail {
  const payloads = parts.map((part) => TICKET_PARTS[part].payload(ticket, links));
  return Object.assign({}, ...payloads) as ActivityDetail;
}

type TicketEventKind = Extract<ReturnType<typeof activityOf>, EventKind>;

function activityOf(part: TicketPart, { state }: Ticket) {
  const { activity } = TICKET_PARTS[part];
  return typeof activity === 'string' ? activity : activity[state];
}
