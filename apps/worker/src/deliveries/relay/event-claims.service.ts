import { Database } from '#libs/database';
import { type ClaimRequest, type ClaimedEvents, claimEvents } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { ClaimedDeliveryCache } from '../queue/claimed-delivery-cache.js';

/** Takes events from the outbox, and keeps what the claim brought along for the attempts that follow. One round trip. */
@Injectable()
export class EventClaimsService {
  constructor(
    private readonly database: Database,
    private readonly brought: ClaimedDeliveryCache,
  ) {}

  async claim(request: ClaimRequest): Promise<ClaimedEvents> {
    const events = await claimEvents(this.database.system(), request);
    this.brought.keep(events.brought, request.leasedUntil);
    return events;
  }
}
