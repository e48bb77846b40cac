import { Transactions } from '#libs/database';
import { type Arrival, type ArrivalState, Conflict } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, byTime } from '#libs/lists';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import type { RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { discardQuarantined, loadArrivals, releaseHeld } from './arrival.statements.js';
import { InboundMailService } from './inbound-mail.service.js';

export type QuarantineReason =
  | 'own_mail'
  | 'agent_address'
  | 'agent_without_token'
  | 'agent_unproven'
  | 'agent_automatic'
  | 'agent_empty'
  | 'agent_ticket_deleted'
  | 'too_many';

/** Older emails in quarantine are discarded. */
export const QUARANTINE_DAYS = 30;

const NEWEST_FIRST: Order = { name: '-created_at', descending: true, keys: byTime('r', 'created_at') };

export interface ArrivalQuery extends PageRequest {
  readonly state: ArrivalState;
}

@Injectable()
export class QuarantineService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    private readonly inboundMail: InboundMailService,
  ) {}

  /** Round trips: 3. */
  list(context: RequestContext, request: ArrivalQuery): Promise<Page<Arrival>> {
    const conditions = Conditions.forAccount('r');
    conditions.add(`r.state = ${conditions.bind(request.state)}`);
    const listing = { from: 'arrivals r', id: 'r.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(context, listing, request, loadArrivals);
  }

  /** A worker processes the mail again and does not quarantine it. */
  release(context: RequestContext, id: string): Promise<Arrival> {
    return this.decide(context, id, 'quarantined_mail_released', releaseHeld);
  }

  discard(context: RequestContext, id: string): Promise<Arrival> {
    return this.decide(context, id, 'quarantined_mail_discarded', discardQuarantined);
  }

  private async decide(
    context: RequestContext,
    id: string,
    activity: string,
    change: typeof releaseHeld,
  ): Promise<Arrival> {
    const arrival = await this.inboundMail.read(context, id);
    // Nothing but this decision changes a quarantined email, and `change` fails after another one.
    requireUnchanged(context, () => [{ arrival: RECORDS.Arrival(arrival, this.events.links) }]);
    const { sender } = arrival;
    await this.transactions.run(context, async (tx, now) => {
      if (!(await change(tx, id, now)))
        throw new Conflict(
          'mail_not_quarantined',
          'The email is no longer in quarantine: it was accepted or discarded.',
        );
      await this.events.recordActivity(tx, context, activity, { subject: sender ?? '' });
    });
    return this.inboundMail.read(context, id);
  }
}
