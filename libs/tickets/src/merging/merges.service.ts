import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import { Conflict, InvalidField, MAX_TAGS, MergedTicket, NotFound, Ticket, distinctTags } from '#libs/entities';
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
  type MergedRows,
  type TicketValues,
  type UndoablePart,
  changedTicket,
  changesTo,
  valuesOf,
  valuesToUndo,
} from '../ticket-changes.js';
import { lockTicket, readTicket, saveTicket } from '../ticket.statements.js';
import { moveDrafts, moveMessages } from './merge.statements.js';

/** A merge of this many takes 0.3 s, and its undo is a row of 400 KB. */
export const MAX_MERGED_MESSAGES = 10_000;

@Injectable()
export class MergesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async merge(context: RequestContext, number: number, into: number) {
    if (into === number) throw new InvalidField('into', 'same_ticket', 'into must be another ticket');
    return this.transactions.run(context, async (tx, now) => {
      await lock(tx, [number, into]);
      const gone = await readTicket(tx, number);
      if (gone.deletedAt) throw new NotFound('ticket');
      const { id, customerId } = await readTarget(tx, into);
      requireUnchanged(context, () => [{ ticket: RECORDS.Ticket(gone, this.events.links) }]);
      if (gone.messageCount > MAX_MERGED_MESSAGES)
        throw new Conflict('too_many_messages', `#${number} has too many messages. Merge the other ticket into it.`);
      const hasOtherCustomer = gone.customerId !== customerId;
      if (hasOtherCustomer) await this.holdBack(tx, context, { gone, kept: { id, number: into } }, now);
      const { rows, first } = await moveMessages(tx, gone.id, id);
      const drafts = await moveDrafts(tx, gone.id, id, hasOtherCustomer);
      const kept = await readTicket(tx, into);
      const [was, carried] = [valuesOf(kept), carriedBy(kept)];
      const values = valuesAfter(kept, gone);
      const people = new Set([...kept.ccAddresses, gone.customer.email, ...gone.ccAddresses]);
      people.delete(kept.customer.email);
      kept.ccAddresses = [...people].slice(0, MAX_CC);
      kept.ccAddresses = await this.mails.stillInCopy(tx, kept);
      kept.absorb(gone, now);
      if (first) kept.summary = gone.summary;
      await this.save(tx, context, { kept, gone, values, kind: 'ticket_merged' }, now);
      const merged = { number, rows: [...rows, ...drafts], was: carried, left: carriedBy(kept) };
      const former: ChangedTicket = { ...changedTicket(into, was, valuesOf(kept)), merged };
      return { ticket: kept, former };
    });
  }

  /** Moves back the messages and drafts that the merge moved. Returns what changed since, which stays. */
  undo(context: RequestContext, changed: ChangedTicket, merged: MergedRows): Promise<readonly UndoablePart[]> {
    const { number } = merged;
    return this.transactions.run(context, async (tx, now) => {
      const { id } = await lockTicket(tx, changed.number);
      const gone = await tx.repository(Ticket).lock({ number, mergedIntoId: id });
      if (!gone) throw new Conflict('not_merged', `#${number} is no longer merged into #${changed.number}.`);
      const moved = await moveMessages(tx, id, gone.id, merged.rows);
      const kept = await readTicket(tx, changed.number);
      const { restored, changedSince } = valuesToUndo(valuesOf(kept), changed);
      kept.release(gone, moved.messages, now);
      restoreCarried(kept, merged);
      await this.save(tx, context, { kept, gone, values: restored, kind: 'ticket_unmerged' }, now);
      return changedSince;
    });
  }

  /** Waiting replies were written to one customer, and would now go to the other. */
  private async holdBack(
    tx: AccountTx,
    { requestId }: RequestContext,
    { gone, kept }: Readonly<Record<'gone' | 'kept', Pick<Ticket, 'id' | 'number'>>>,
    now: Date,
  ): Promise<void> {
    const refused = `#${gone.number} was merged into a ticket of another customer`;
    for (const { id, agentId, dueAt } of await listHeldIds(tx, gone.id)) {
      await returnToDraft(tx, id, { id: uuidAt(now), agentId, updatedAt: now });
      const detail = { due_at: dueAt.toISOString(), refused };
      const author = { agentId, applicationId: null, requestId };
      const description = { ticketId: kept.id, subject: `#${kept.number}`, detail };
      await this.events.recordActivity(tx, author, 'reply_unscheduled', description);
    }
  }

  private async save(
    tx: AccountTx,
    context: RequestContext,
    { kept, gone, values, kind }: { kept: Ticket; gone: Ticket; values: TicketValues; kind: string },
    now: Date,
  ): Promise<void> {
    const changes = changesTo(values, context, now);
    const applied = await applyChanges(tx, this.events.links, { ticket: kept, changes, now });
    // An external ID is unique, so it leaves one ticket before the other gets it.
    const saved = gone.mergedIntoId === null ? [kept, gone] : [gone, kept];
    for (const ticket of saved) await saveTicket(tx, ticket);
    await this.events.recordActivity(tx, context, kind, describeTicketActivity(kept, { ticket: gone.number }));
    await saveChanges(tx, this.events, context, applied);
  }
}

/** In the order of the numbers, against deadlocks. Also blocks drafts, which lock the keys of their tickets. */
async function lock(tx: AccountTx, numbers: readonly number[]): Promise<void> {
  for (const number of numbers.toSorted((one, other) => one - other)) await tx.repository(Ticket).lock({ number });
}

async function readTarget(tx: AccountTx, into: number): Promise<Ticket> {
  const ticket = await readTicket(tx, into).catch((error: unknown) => {
    if (error instanceof MergedTicket) throw new InvalidField('into', 'merged', error.message);
    throw error instanceof NotFound ? unknownReference('into') : error;
  });
  if (ticket.deletedAt) throw new InvalidField('into', 'deleted', `into names #${into}, which was deleted`);
  return ticket;
}

function valuesAfter(kept: Ticket, gone: Ticket): TicketValues {
  const tags = distinctTags([...kept.tags, ...gone.tags]).slice(0, MAX_TAGS);
  if (!gone.isInHand()) return { tags };
  return { tags, ...(!kept.isInHand() && { state: gone.state }), ...(!gone.snoozedUntil && { snoozedUntil: null }) };
}

function carriedBy({ ccAddresses, waitingSince, firstReplyAt, summary }: Ticket): CarriedValues {
  return { ccAddresses, waitingSince, firstReplyAt, summary };
}

function restoreCarried(ticket: Ticket, { was, left }: MergedRows): void {
  const current = carriedBy(ticket);
  for (const [name, value] of Object.entries(was) as [keyof CarriedValues, unknown][]) {
    if (JSON.stringify(current[name]) !== JSON.stringify(left[name])) continue;
    const isTime = value !== null && /At$|Since$/.test(name);
    Object.assign(ticket, { [name]: isTime ? new Date(value as string) : value });
  }
}
