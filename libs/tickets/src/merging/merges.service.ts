import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import { Conflict, InvalidField, MAX_TAGS, MergedTicket, NotFound, type Ticket, distinctTags } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { applyChanges, saveChanges } from '../applied-changes.js';
import { listHeldIds, returnToDraft } from '../messages/held-reply.statements.js';
import { MAX_CC } from '../recipients/copy-recipients.statements.js';
import { CustomerMailsService } from '../recipients/customer-mails.service.js';
import { unknownReference } from '../references.js';
import type { RequestContext } from '../request-context.js';
import {
  type CarriedValues,
  type ChangedTicket,
  type LaterChange,
  type MergedRows,
  type TicketValues,
  changedTicket,
  changesTo,
  valuesOf,
  valuesToUndo,
} from '../ticket-changes.js';
import { lockTickets, readTicket, saveTicket } from '../ticket.statements.js';
import { moveDrafts, moveMessages } from './merge.statements.js';

/** The transaction of a merge with this many takes about a second. */
export const MAX_MERGED_MESSAGES = 10_000;

@Injectable()
export class MergesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async merge(
    context: RequestContext,
    number: number,
    into: number,
  ): Promise<{ ticket: Ticket; former: ChangedTicket }> {
    if (into === number) throw new InvalidField('into', 'same_ticket', 'into must be another ticket');
    return this.transactions.run(context, async (tx, now) => {
      const tickets = await lockTickets(tx, [number, into]);
      const [gone, { id, customerId }] = mergeable(tickets, number, into);
      requireUnchanged(context, () => [{ ticket: RECORDS.Ticket(gone, this.events.links) }]);
      if (gone.customerId !== customerId) await holdBack(tx, gone, now);
      const { messages: moved, rows, first } = await moveMessages(tx, gone.id, id);
      moveDrafts(tx, gone.id, id);
      const kept = await readTicket(tx, into);
      const [was, carried] = [valuesOf(kept), carriedBy(kept)];
      const values = valuesAfter(kept, gone);
      kept.ccAddresses = await this.copyAfter(tx, kept, gone);
      kept.absorb(gone, now);
      if (first) kept.summary = gone.summary;
      await this.save(tx, context, { kept, gone, values, kind: 'ticket_merged' }, now);
      const messages = kept.messageCount - moved;
      const merged = { number, rows, messages, was: carried, left: carriedBy(kept) };
      return { ticket: kept, former: { ...changedTicket(into, was, valuesOf(kept)), merged } };
    });
  }

  /** Moves back the messages that the merge moved. Returns what changed since, which stays. */
  undo(context: RequestContext, changed: ChangedTicket, merged: MergedRows): Promise<readonly LaterChange[]> {
    const { number: into } = changed;
    return this.transactions.run(context, async (tx, now) => {
      const tickets = await lockTickets(tx, [merged.number, into]);
      const { id } = live(find(tickets, into));
      const gone = find(tickets, merged.number);
      if (gone.mergedIntoId !== id)
        throw new Conflict('not_merged', `#${gone.number} is no longer merged into #${into}.`);
      const moved = await moveMessages(tx, id, gone.id, merged.rows);
      const kept = await readTicket(tx, into);
      const { restored, changedSince } = valuesToUndo(valuesOf(kept), changed);
      kept.release(gone, moved.messages, now);
      restoreCarried(kept, merged);
      await this.save(tx, context, { kept, gone, values: restored, kind: 'ticket_unmerged' }, now);
      return kept.messageCount > merged.messages ? [...changedSince, 'messages'] : changedSince;
    });
  }

  private async save(
    tx: AccountTx,
    context: RequestContext,
    { kept, gone, values, kind }: { kept: Ticket; gone: Ticket; values: TicketValues; kind: string },
    now: Date,
  ): Promise<void> {
    const changes = changesTo(values, context, now);
    const applied = await applyChanges(tx, this.events.links, { ticket: kept, changes, now });
    await saveTicket(tx, kept);
    await saveTicket(tx, gone);
    await this.events.recordActivity(tx, context, kind, describeTicketActivity(kept, { ticket: gone.number }));
    await saveChanges(tx, this.events, context, applied);
  }

  private copyAfter(tx: AccountTx, { customer, ccAddresses }: Ticket, gone: Ticket): Promise<string[]> {
    const people = new Set([gone.customer.email, ...ccAddresses, ...gone.ccAddresses]);
    people.delete(customer.email);
    return this.mails.stillInCopy(tx, { customer, ccAddresses: [...people].slice(0, MAX_CC) });
  }
}

function find(tickets: readonly Ticket[], number: number): Ticket {
  const ticket = tickets.find((one) => one.number === number);
  if (!ticket) throw new NotFound('ticket');
  return ticket;
}

function live(ticket: Ticket): Ticket {
  if (ticket.mergedInto !== null) throw new MergedTicket(ticket.number, ticket.mergedInto);
  if (ticket.deletedAt) throw new NotFound('ticket');
  return ticket;
}

function mergeable(tickets: readonly Ticket[], number: number, into: number): [Ticket, Ticket] {
  const gone = live(find(tickets, number));
  const kept = tickets.find((one) => one.number === into);
  if (!kept) throw unknownReference('into');
  if (kept.mergedInto !== null)
    throw new InvalidField('into', 'merged', `into names #${into}, which was merged into #${kept.mergedInto}`);
  if (kept.deletedAt) throw new InvalidField('into', 'deleted', `into names #${into}, which was deleted`);
  if (gone.messageCount > MAX_MERGED_MESSAGES)
    throw new Conflict(
      'too_many_messages',
      `#${number} has more than ${MAX_MERGED_MESSAGES.toLocaleString('en')} messages. Merge the other ticket into it.`,
    );
  return [gone, kept];
}

/** Their text was written to one customer, and would now go to the other. */
async function holdBack(tx: AccountTx, { id: ticketId }: Ticket, now: Date): Promise<void> {
  for (const { id, agentId } of await listHeldIds(tx, ticketId))
    await returnToDraft(tx, id, { id: uuidAt(now), agentId, updatedAt: now });
}

function valuesAfter(kept: Ticket, gone: Ticket): TicketValues {
  const tags = distinctTags([...kept.tags, ...gone.tags]).slice(0, MAX_TAGS);
  if (!gone.isInHand()) return { tags };
  return { tags, ...(!kept.isInHand() && { state: gone.state }), ...(!gone.snoozedUntil && { snoozedUntil: null }) };
}

const carriedBy = ({ ccAddresses, waitingSince, firstReplyAt, summary }: Ticket): CarriedValues => ({
  ccAddresses,
  waitingSince,
  firstReplyAt,
  summary,
});

function restoreCarried(ticket: Ticket, { was, left }: MergedRows): void {
  const current = carriedBy(ticket);
  for (const [name, value] of Object.entries(was) as [keyof CarriedValues, unknown][]) {
    if (JSON.stringify(current[name]) !== JSON.stringify(left[name])) continue;
    const isTime = value !== null && /At$|Since$/.test(name);
    Object.assign(ticket, { [name]: isTime ? new Date(value as string) : value });
  }
}
