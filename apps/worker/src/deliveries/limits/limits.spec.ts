import { describe, expect, it } from 'vitest';
import { BULK_PER_SECOND_BESIDE_EXPRESS } from './delivery-slot-limiter.js';
import * as limits from './limits.js';

describe('limits', () => {
  it('lets one round of the relay reveal a bursting account', () => {
    expect(limits.CLAIM_LIMITS.eventsPerAccount).toBeGreaterThan(limits.EXPRESS_BURST);
    expect(limits.CLAIM_LIMITS.eventsPerAccount).toBeLessThan(limits.CLAIM_LIMITS.events);
  });

  it('keeps an account bursting between two rounds of its burst', () => {
    const refilled = (limits.EXPRESS_REFILL_PER_SECOND * limits.BURSTING_PAUSE_BESIDE_EXPRESS_MS) / 1_000;
    expect(limits.EXPRESS_RECOVERED).toBeGreaterThan(refilled);
    expect(limits.EXPRESS_RECOVERED).toBeLessThan(limits.EXPRESS_BURST);
  });

  it('keeps the burst of an account alone in bulk', () => {
    const refilled = (limits.EXPRESS_EVENTS_PER_SECOND_ALONE * limits.RELAY_RETRY_MS) / 1_000;
    expect(limits.EXPRESS_RECOVERED).toBeGreaterThan(refilled);
  });

  it('uses claimed rows only while their lease is fresh', () => {
    expect(limits.CLAIMED_ATTEMPT_FRESH_MS).toBeLessThan((limits.LEASE_MS - limits.LEASE_MARGIN_MS) / 10);
  });

  it('keeps a round with express traffic smaller than one without, on up to 40 processors', () => {
    const perProcessor = limits.BURSTING_CLAIM_LIMITS_BESIDE_EXPRESS.events / BULK_PER_SECOND_BESIDE_EXPRESS;
    expect(perProcessor * 400 * 40).toBeLessThanOrEqual(limits.BURSTING_CLAIM_LIMITS.events);
  });

  it('makes the relay poll sooner the more work there is', () => {
    expect(limits.RELAY_RETRY_MS).toBeLessThan(limits.BURSTING_PAUSE_BESIDE_EXPRESS_MS);
    expect(limits.BURSTING_PAUSE_BESIDE_EXPRESS_MS).toBeLessThan(limits.RELAY_POLL_MS);
    expect(limits.RELAY_POLL_MS).toBeLessThan(limits.EXPRESS_IDLE_AFTER_MS);
  });

  it('leaves room in the queue for a whole round of the feeder, in one round trip', () => {
    expect(limits.MAX_BULK_JOBS * limits.MAX_DELIVERIES_PER_JOB).toBeGreaterThanOrEqual(limits.FEED_BATCH);
    expect(limits.JOBS_PER_ADD * limits.MAX_DELIVERIES_PER_JOB).toBeGreaterThanOrEqual(limits.FEED_BATCH);
    expect(limits.MAX_BULK_JOBS).toBeLessThan(limits.MAX_QUEUED_JOBS);
  });

  it('keeps additions by all workers that the size does not show far below the size of the queue', () => {
    expect(limits.QUEUE_SIZE_FRESH_MS).toBeLessThan(limits.QUEUE_SIZE_FRESH_WHILE_QUIET_MS);
    expect(limits.QUEUE_SIZE_FRESH_WHILE_QUIET_MS).toBeLessThan(limits.QUEUE_SIZE_FRESH_WITH_ROOM_MS);
    expect(limits.LITTLE_ADDED_SHARE).toBeLessThan(1 / 2);
  });

  it('makes the feeder poll sooner while there is a backlog', () => {
    expect(limits.FEED_BUSY_MS).toBeLessThan(limits.FEED_IDLE_MS);
  });

  it('renews a lease before it can expire', () => {
    expect(limits.LEASE_MARGIN_MS).toBeGreaterThan(limits.LEASE_RENEW_AFTER_MS + limits.LEASE_RENEW_EVERY_MS);
    expect(limits.LEASE_MS).toBeGreaterThan(limits.LEASE_MARGIN_MS);
  });

  it('lets every worker reclaim its deliveries before a lost queue is filled again', () => {
    const reclaimed = limits.QUEUE_LOSS_CHECK_MS + limits.RECLAIM_DELAY_MS;
    expect(limits.RELEASED_DUE_AFTER_MS).toBeGreaterThan(reclaimed);
    expect(limits.FEEDER_ERROR_PAUSE_MS).toBeGreaterThan(limits.RELEASED_DUE_AFTER_MS);
  });

  it('waits for the minimum batch longer than usual and far shorter than a lease', () => {
    const { withinMs } = limits.EXPRESS_RECORD_MIN_BATCH;

    expect(withinMs).toBeGreaterThan(limits.RECORD_LINGER_MS);
    expect(withinMs * 10).toBeLessThan(limits.LEASE_RENEW_AFTER_MS);
  });

  it('lets no replay fill a round of the feeder, and gives others turns between its steps', () => {
    expect(limits.MAX_DUE_PER_REPLAY).toBeLessThan(limits.FEED_BATCH);
    expect(limits.REPLAY_STEP_PAUSE_MS).toBeLessThan(limits.REPLAY_FULL_PAUSE_MS);
    expect(limits.REPLAY_FULL_PAUSE_MS).toBeLessThan(limits.REPLAY_POLL_MS);
  });
});
