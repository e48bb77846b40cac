import { Clock, Database } from '#libs/database';
import { NO_ACTOR, insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { wakeTickets } from './ticket.statements.js';

const BATCH = 100;

@Injectable()
export class SnoozedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

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
