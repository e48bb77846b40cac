import { type CommittedEvent, HandOver } from '#libs/events';
import type { OnApplicationShutdown } from '@nestjs/common';
import { type DeliveryQueue, MAX_QUEUED } from './delivery-queue.js';
import type { EventContentService } from './event-content.service.js';

/** Never waits for Redis: the relay takes the events whose job is missing. */
export class HandOverService extends HandOver implements OnApplicationShutdown {
  private readonly allowance = new ExpressAllowance();
  private isFull = false;
  private untilSizeCheck = 0;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly contents: EventContentService,
  ) {
    super();
  }

  isExpress(accountId: string, count: number): boolean {
    return this.allowance.spend(accountId, count, performance.now()) && this.queue.isReady && !this.isFull;
  }

  take(accountId: string, count: number, events: readonly CommittedEvent[]): void {
    const deliveries = events.reduce((sum, { webhooks }) => sum + webhooks, 0);
    this.allowance.spend(accountId, costOf({ events: events.length, deliveries }) - count, performance.now());
    const express = events
      .filter((event) => event.express)
      .map((event) => ({ eventId: event.eventId, content: this.contents.seal(accountId, event) }));
    // The queue reports it, and the relay adds the missing jobs. Until a write succeeds, the relay takes later events.
    if (express.length > 0) void this.queue.addEvents(express).catch(() => this.checkSize());
    this.untilSizeCheck -= express.length;
    if (this.untilSizeCheck <= 0) void this.checkSize();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }

  /** Without workers the queue would grow until Redis is full. */
  private async checkSize(): Promise<void> {
    this.untilSizeCheck = Number.POSITIVE_INFINITY;
    const size = await this.queue.reportedSize();
    this.untilSizeCheck = size ? MAX_QUEUED - size.express : 0;
    this.isFull = this.untilSizeCheck <= 0;
  }
}

/** Deliveries of an account at once. More, and a burst delays the events of others. */
export const BURST = 50;

/** Less, and the steady traffic of an account goes through the relay, which takes longer. */
const BURST_REFILL_PER_SECOND = 250;

const REFILL_MS = (BURST / BURST_REFILL_PER_SECOND) * 1_000;

/** More deliveries of an event cost this much less than the first: they share its load and its record. */
const DELIVERIES_PER_EVENT = 10;

export const costOf = ({ events, deliveries }: { readonly events: number; readonly deliveries: number }): number =>
  events + (deliveries - events) / DELIVERIES_PER_EVENT;

interface Bucket {
  readonly tokens: number;
  readonly refilledAt: number;
}

/**
 * A token bucket for each account. Events beyond it are spent too, down to a debt of a burst, so an account that sends
 * faster than its allowance stays without, and its events wait their turn in the outbox.
 */
export class ExpressAllowance {
  /** By the time of their last refill. A bucket that is missing is full. */
  private readonly buckets = new Map<string, Bucket>();

  /** Returns whether the allowance was enough. A negative cost is given back. */
  spend(accountId: string, cost: number, now: number): boolean {
    this.forgetFull(now);
    const available = this.availableTo(accountId, now);
    this.buckets.delete(accountId);
    this.buckets.set(accountId, { tokens: Math.max(-BURST, available - cost), refilledAt: now });
    return available >= cost;
  }

  /** The accounts without allowance. They stay so while this is asked more often than a burst is refilled. */
  exhausted(now: number): string[] {
    const found = [...this.buckets.keys()].filter((accountId) => this.availableTo(accountId, now) < 1);
    for (const accountId of found) this.spend(accountId, BURST, now);
    return found;
  }

  private availableTo(accountId: string, now: number): number {
    const { tokens, refilledAt } = this.buckets.get(accountId) ?? { tokens: BURST, refilledAt: now };
    return Math.min(BURST, tokens + (now - refilledAt) * (BURST / REFILL_MS));
  }

  private forgetFull(now: number): void {
    for (const [accountId, { refilledAt }] of this.buckets) {
      if (now - refilledAt < 2 * REFILL_MS) return;
      this.buckets.delete(accountId);
    }
  }
}
