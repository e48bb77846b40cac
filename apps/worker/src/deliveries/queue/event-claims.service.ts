import { Database } from '#libs/database';
import { type ClaimRequest, type ClaimedAttempt, claimEvents } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLAIMED_ATTEMPT_FRESH_MS } from '../limits/limits.js';

const MAX_CACHED_CLAIMED_ATTEMPTS = 1_000;

interface LeasedId {
  readonly deliveryId: string;
  readonly leasedUntil: Date;
}

/** Caches the rows of a claim for the attempt that follows. Another worker, or a late attempt, reads them as usual. */
@Injectable()
export class EventClaimsService {
  private readonly claimed = new LRUCache<string, { attempt: ClaimedAttempt; at: number }>({
    max: MAX_CACHED_CLAIMED_ATTEMPTS,
  });

  constructor(private readonly database: Database) {}

  async claim(request: ClaimRequest) {
    const events = await claimEvents(this.database.system(), request);
    const { leasedUntil } = request;
    const at = performance.now();
    for (const attempt of events.attempts) this.claimed.set(keyOf({ ...attempt, leasedUntil }), { attempt, at });
    return events;
  }

  /** A repeated job must check whether it is still owed, so each row is taken once. */
  takeAttempt(leased: LeasedId): ClaimedAttempt | undefined {
    const key = keyOf(leased);
    const found = this.claimed.get(key);
    this.claimed.delete(key);
    return found && performance.now() - found.at <= CLAIMED_ATTEMPT_FRESH_MS ? found.attempt : undefined;
  }
}

const keyOf = ({ deliveryId, leasedUntil }: LeasedId): string => `${deliveryId}.${leasedUntil.getTime()}`;
