import { Database } from '#libs/database';
import { type ClaimRequest, type ClaimedEvents, claimEvents } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { BroughtDeliveries } from '../queue/brought-deliveries.js';

/** Takes events from the outbox, and keeps what the claim brought along for the attempts that follow. One round trip. */
@Injectable()
export class EventClaims {
  constructor(
    private readonly database: Database,
    private readonly brought: BroughtDeliveries,
  ) {}

  async claim(request: ClaimRequest): Promise<ClaimedEvents> {
    const events = await claimEvents(this.database.system(), request);
    this.brought.keep(events.brought, request.leasedUntil);
    return events;
  }
}
