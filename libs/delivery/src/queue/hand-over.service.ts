import { type CommittedEvent, HandOver } from '#libs/events';
import type { OnApplicationShutdown } from '@nestjs/common';
import { type DeliveryQueue, MAX_QUEUED } from './delivery-queue.js';
import type { EventContentService } from './event-content.service.js';
import { ExpressAllowance, costOf } from './express-allowance.js';

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

  spendExpress(accountId: string, count: number): boolean {
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
