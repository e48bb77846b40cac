import { Clock, Database, systemStatement } from '#libs/database';
import { deleteActivitiesOfTickets } from '#libs/events';
import { Injectable } from '@nestjs/common';

const RESTORABLE_MS = 30 * 24 * 60 * 60 * 1000;

/** Small, because messages, attachments and search words are deleted with each ticket. */
const BATCH = 100;

const PURGE = systemStatement(
  'deleted_tickets_purge',
  'Upkeep purges the folder of the deleted in every account',
  `delete from tickets where ctid = any(array(
     select ctid from tickets where deleted_at < $1 order by deleted_at limit $2 for update skip locked))
   returning id, account_id as "accountId"`,
);

/** Purges tickets and their history after the 30 days in which they can be restored. */
@Injectable()
export class DeletedTicketsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Purges one batch. Returns its size. */
  purge(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - RESTORABLE_MS);
    return this.database.systemTransaction(async (tx) => {
      const purged = await tx.rows<{ id: string; accountId: string }>(PURGE, [before, BATCH]);
      for (const { id, accountId } of purged) await deleteActivitiesOfTickets(tx.account(accountId), [id]);
      return purged.length;
    });
  }
}
