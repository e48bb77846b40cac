import { Database } from '#libs/database';
import { type ClaimRequest, type ClaimedAttempt, type ClaimedEvents, claimEvents } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLAIMED_ATTEMPT_FRESH_MS, MAX_CACHED_CLAIMED_ATTEMPTS } from '../limits/limits.js';

interface LeasedId {
  readonly deliveryId: string;
  readonly leasedUntil: Date;
}

/** Caches the rows of a claim for the attempt that follows. Another worker, or a late attempt, reads them as usual. */
@Injectable()
export class ClaimedAttemptCache {
  private readonly cached = new LRUCache<string, { attempt: ClaimedAttempt; at: number }>({
    max: MAX_CACHED_CLAIMED_ATTEMPTS,
  });

  add(attempts: readonly ClaimedAttempt[], leasedUntil: Date): void {
    const at = performance.now();
    for (const attempt of attempts) this.cached.set(keyOf({ ...attempt, leasedUntil }), { attempt, at });
  }

  /** A repeated job must check whether it is still owed, so each row is taken once. */
  take(leased: LeasedId): ClaimedAttempt | undefined {
    const key = keyOf(leased);
    const found = this.cached.get(key);
    this.cached.delete(key);
    return found && performance.now() - found.at <= CLAIMED_ATTEMPT_FRESH_MS ? found.attempt : undefined;
  }
}

const keyOf = ({ deliveryId, leasedUntil }: LeasedId): string => `${deliveryId}.${leasedUntil.getTime()}`;

/** One round trip. */
@Injectable()
export class EventClaimsService {
  constructor(
    private readonly database: Database,
    private readonly claimed: ClaimedAttemptCache,
  ) {}

  async claim(request: ClaimRequest): Promise<ClaimedEvents> {
    const events = await claimEvents(this.database.system(), request);
    this.claimed.add(events.attempts, request.leasedUntil);
    return events;
  }
}
