import { waitAtMost } from '#libs/pacing';
import type { EventJob } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter, PROMPT_WITHIN_MS } from '../limits/delivery-slot-limiter.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptsService } from './attempts.service.js';
import { type AttemptResult, type DueDelivery, STOPPING } from './due-delivery.js';
import { OwedAttemptsService } from './owed-attempts.service.js';

interface FirstAttempt {
  readonly delivery: DueDelivery;
  readonly running: Promise<AttemptResult>;
  result?: AttemptResult;
}

export interface LateAttempt {
  readonly deliveryId: string;
  readonly done: Promise<void>;
}

/**
 * The first attempts of an express event. Its deliveries are written together, once, with the results; until then the event
 * is in the outbox. Slower attempts continue as owed deliveries. Round trips: PostgreSQL 2/n.
 */
@Injectable()
export class FirstAttemptsService {
  constructor(
    private readonly loader: AttemptLoader,
    private readonly attempts: AttemptsService,
    private readonly recorder: AttemptRecorder,
    private readonly owed: OwedAttemptsService,
    private readonly slots: DeliverySlotLimiter,
  ) {}

  /** Resolves when the event has left the outbox. Returns the attempts that are still running. */
  async run(job: EventJob): Promise<LateAttempt[]> {
    const attempts = (await this.loader.loadFirst(job)).map((delivery) => this.start(delivery));
    await waitAtMost(PROMPT_WITHIN_MS, Promise.allSettled(attempts.map(({ running }) => running)));
    const late = attempts.filter(({ result }) => !result);
    const isRecorded = await this.recorder.recordFirst(
      job.eventId,
      attempts.map(({ delivery, result }) => ({ delivery, result })),
    );
    if (!isRecorded) return [];
    return late.map(({ delivery, running }) => ({
      deliveryId: delivery.deliveryId,
      done: this.owed.continue(delivery, () => running),
    }));
  }

  private start(delivery: DueDelivery): FirstAttempt {
    const attempt: FirstAttempt = { delivery, running: this.attempt(delivery) };
    attempt.running.then(
      (result) => (attempt.result = result),
      () => undefined,
    );
    return attempt;
  }

  private async attempt(delivery: DueDelivery): Promise<AttemptResult> {
    if (delivery.isSlow) return { reason: 'silent', forMs: 0 };
    const slot = await this.slots.acquire('express');
    if (!slot) return STOPPING;
    try {
      return await this.attempts.attempt(delivery);
    } finally {
      this.slots.release(slot);
    }
  }
}
