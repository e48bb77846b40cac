import { Transactions } from '#libs/database';
import { InvalidField, NotFound, PreconditionFailed, type Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import { RECORDS, TICKET_PARTS, isUnchanged, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { applyChanges, saveChanges } from './applied-changes.js';
import { MergesService } from './merging/merges.service.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import type { RequestContext } from './request-context.js';
import {
  type ChangedTicket,
  type TicketChange,
  type TicketValues,
  type UndoablePart,
  type UndoableValues,
  changedTicket,
  changesTo,
  moveToMailbox,
  valuesOf,
  valuesToUndo,
} from './ticket-changes.js';
import { lockTicket, saveTicket } from './ticket.statements.js';

export type UndoableChange = UndoableValues & Pick<TicketValues, 'addTags' | 'removeTag'>;

/** Round trips: 5, or 3 if nothing changes. */
@Injectable()
export class TriageService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly mails: CustomerMailsService,
    private readonly merges: MergesService,
  ) {}

  /** Changes all given fields or none. */
  change(context: RequestContext, number: number, wanted: TicketValues): Promise<Ticket> {
    return this.apply(context, number, (_, now) => changesTo(wanted, context, now));
  }

  async changeUndoably(context: RequestContext, number: number, wanted: UndoableChange) {
    let was: UndoableValues = {};
    const ticket = await this.apply(context, number, (found, now) => {
      if (wanted.snoozedUntil && (found.state === 'closed' || found.state === 'spam'))
        throw new InvalidField(
          'snoozed_until',
          'not_open',
          `The ticket is ${found.state}. Reopen it before you snooze it.`,
        );
      was = valuesOf(found);
      return changesTo(wanted, context, now);
    });
    return { ticket, changed: changedTicket(number, was, valuesOf(ticket)) };
  }

  /** The messages move, and the number leads to the other ticket from now on. */
  merge(context: RequestContext, number: number, into: number) {
    return this.merges.merge(context, number, into);
  }

  /** Skips what was changed since, and returns it. */
  async undo(context: RequestContext, changed: ChangedTicket): Promise<readonly UndoablePart[]> {
    if (changed.merged) return this.merges.undo(context, changed, changed.merged);
    let changedSince: readonly UndoablePart[] = [];
    const changesFor = (found: Ticket, now: Date) => {
      const values = valuesToUndo(valuesOf(found), changed);
      changedSince = values.changedSince;
      return changesTo(values.restored, context, now);
    };
    await this.apply(context, changed.number, changesFor, true);
    return changedSince;
  }

  /** The mailbox is part of the URL, so an unknown one is not found. */
  changeMailbox(context: RequestContext, number: number, mailboxId: string): Promise<Ticket> {
    return this.apply(context, number, () => [moveToMailbox(mailboxId, new NotFound('mailbox'))]);
  }

  delete(context: RequestContext, number: number): Promise<void> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      requireUnchanged(context, () => [{ ticket: RECORDS.Ticket(ticket, this.events.links) }]);
      ticket.delete(now);
      await saveTicket(tx, ticket);
      await this.events.record(tx, context, ['ticket_deleted', ticket]);
    });
  }

  restore(context: RequestContext, number: number): Promise<Ticket> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number, 'deleted');
      const record = { ticket: RECORDS.Ticket(ticket, this.events.links) };
      requireUnchanged(context, () => [record, { ...record, meta: { deleted_at: ticket.deletedAt } }]);
      ticket.restore(now);
      await saveTicket(tx, ticket);
      await this.events.recordActivity(tx, context, 'ticket_restored', describeTicketActivity(ticket, {}));
      return ticket;
    });
  }

  private apply(
    context: RequestContext,
    number: number,
    changesFor: (ticket: Ticket, now: Date) => readonly TicketChange[],
    isUndo = false,
  ): Promise<Ticket> {
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      const changes = changesFor(ticket, now);
      const isAsRead = isUnchanged(context, () => [
        { ticket: RECORDS.Ticket(ticket, this.events.links) },
        ...(changes.length === 1 ? [TICKET_PARTS[changes[0]!.part].payload(ticket, this.events.links)] : []),
      ]);
      const applied = await applyChanges(tx, this.events.links, { ticket, changes, now });
      if (!isAsRead) throw new PreconditionFailed();
      const { changed } = applied;
      if (!isUndo) this.mails.oweAgentNotices(tx, { ticket, by: context.agentId, changed }, now);
      await saveChanges(tx, this.events, context, applied);
      return ticket;
    });
  }
}
