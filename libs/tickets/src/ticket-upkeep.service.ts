import { Clock, Database, later } from '#libs/database';
import { NO_ACTOR, deleteActivitiesOfTickets, insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { purgeTickets, wakeTickets } from './ticket.statements.js';

/** Small, because messages, attachments and search words are deleted with each ticket. */
const BATCH = 100;

const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

@Injectable()
export class TicketUpkeepService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  purge(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const purged = await purgeTickets(tx, later(this.clock.now(), -RESTORABLE_MS), BATCH);
      for (const { id, accountId } of purged) await deleteActivitiesOfTickets(tx.account(accountId), [id]);
      return purged.length;
    });
  }

  wake(): Promise<number> {
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const woken = await wakeTickets(tx, now, BATCH);
      for (const { id, accountId, number } of woken.filter(({ live }) => live)) {
        const activity = { kind: 'ticket_woken', ticketId: id, subject: `#${number}`, detail: {} };
        await insertActivity(tx.account(accountId), NO_ACTOR, activity, now);
      }
      return woken.length;
    });
  }
}
