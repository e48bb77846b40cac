import { Clock, Database, later } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { NO_ACTOR, deleteActivitiesOfTickets, insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { PURGE_TICKETS, WAKE_TICKETS } from './ticket.statements.js';

/** Small, because messages, attachments and search words are deleted with each ticket. */
const BATCH = 100;

const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

type PurgedTicket = Pick<Ticket, 'id' | 'accountId'>;
type WokenTicket = PurgedTicket & Pick<Ticket, 'number'> & { readonly live: boolean };

@Injectable()
export class SnoozedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  wake(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const woken = await tx.rows<WokenTicket>(WAKE_TICKETS, [now, BATCH]);
      for (const { id, accountId, number } of woken.filter(({ live }) => live)) {
        const activity = { kind: 'ticket_woken', ticketId: id, subject: `#${number}`, detail: {} };
        await insertActivity(tx.account(accountId), NO_ACTOR, activity, now);
      }
      return woken.length;
    });
  }
}

@Injectable()
export class DeletedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  purge(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const purged = await tx.rows<PurgedTicket>(PURGE_TICKETS, [later(this.clock.now(), -RESTORABLE_MS), BATCH]);
      for (const { id, accountId } of purged) await deleteActivitiesOfTickets(tx.account(accountId), [id]);
      return purged.length;
    });
  }
}
