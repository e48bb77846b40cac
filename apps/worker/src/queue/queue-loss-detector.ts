import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryQueue } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { Journal } from '../telemetry/journal.js';
import { InHand } from './in-hand.js';
import { OwedDeliveries } from './owed-deliveries.js';

const LOOK_MS = 250;
/** Whoever found the new life is about to write; what is said before that would be written over. */
const SPEAK_AFTER_MS = 300;

/**
 * Notices that the queue's memory was wiped, restarted or replaced, at most a quarter of a second later. Nothing that
 * was queued before can be relied upon then, except what is in somebody's hands: so all of it is owed again, and every
 * worker says what it still works on. Idle: Redis 1 round trip each time, PostgreSQL none.
 */
@Injectable()
export class QueueMemory {
  private readonly loop = new Loop({
    round: () => this.look(),
    onError: (error) => this.journal.interrupted('the queue could not be asked whether it remembers', error),
  });
  private known: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly owed: OwedDeliveries,
    private readonly inHand: InHand,
    private readonly journal: Journal,
  ) {}

  /** Until the queue was first looked at, nothing should be put into it: it might be taken for forgotten. */
  get isCertain(): boolean {
    return this.known !== undefined;
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async look(): Promise<number> {
    const life = await this.queue.life();
    if (life.id === this.known) return LOOK_MS;
    if (life.begun) this.journal.queueForgot(await this.owed.forgetQueued());
    else await delay(SPEAK_AFTER_MS);
    await this.owed.keep(this.inHand.forLongerThan(0));
    this.known = life.id;
    return LOOK_MS;
  }
}
