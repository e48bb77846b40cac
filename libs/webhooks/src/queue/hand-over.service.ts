import { HandOver, type OutboxEvent } from '#libs/events';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { DeliveryQueue } from './delivery-queue.js';
import { ExpressAllowance, costOf } from './express-allowance.js';

/** Without workers the queue would grow until Redis is full. */
const MAX_WAITING_EVENTS = 5_000;

/** Events added in this time are few beside the bound. */
const SIZE_CHECK_MS = 1_000;

/** Never waits for Redis: the relay takes the events whose job is missing. */
export class HandOverService extends HandOver implements OnApplicationShutdown {
  private readonly allowance = new ExpressAllowance();
  private isFull = false;
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly queue: DeliveryQueue) {
    super();
  }

  isExpress(accountId: string, count: number): boolean {
    return this.allowance.spend(accountId, count, performance.now()) && this.queue.isReady && !this.isFull;
  }

  take(accountId: string, count: number, events: readonly OutboxEvent[]): void {
    const now = performance.now();
    const deliveries = events.reduce((sum, { webhooks }) => sum + webhooks, 0);
    this.allowance.spend(accountId, costOf({ events: events.length, deliveries }) - count, now);
    const express = events.filter((event) => event.express).map(({ eventId }) => eventId);
    if (express.length > 0) void this.queue.addEvents(express).catch(() => undefined);
    if (now - this.checkedAt > SIZE_CHECK_MS) void this.checkSize(now);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }

  private async checkSize(now: number): Promise<void> {
    this.checkedAt = now;
    const size = await this.queue.size().catch(() => undefined);
    this.isFull = size === undefined || size.express >= MAX_WAITING_EVENTS;
  }
}
