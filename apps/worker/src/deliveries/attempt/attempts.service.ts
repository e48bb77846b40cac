import type { AbandonedAttempt, AttemptOutcome } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { type Permit, ReceiverLimitersService } from '../limits/receiver-limiters.service.js';
import type { RequestEnd } from '../limits/request-limiter.js';
import { WebhookClient } from '../sender/webhook-client.js';
import { AttemptPolicyService } from './attempt-policy.service.js';
import { isTimeout } from './attempt-recorder.js';
import { type AttemptResult, type DueDelivery, STOPPING } from './due-delivery.js';

@Injectable()
export class AttemptsService {
  constructor(
    private readonly policy: AttemptPolicyService,
    private readonly receivers: ReceiverLimitersService,
    private readonly client: WebhookClient,
  ) {}

  /** Posts once. The result must be recorded. */
  async attempt(delivery: DueDelivery): Promise<AttemptResult> {
    const obstacle = this.policy.obstacleTo(delivery);
    if (obstacle) return obstacle;
    const permit = await this.receivers.acquire(delivery);
    if (permit.kind !== 'permit') return { reason: permit.kind, forMs: permit.forMs };

    const { request, outcome } = await this.send(delivery, permit);
    permit.end(endOf(outcome));
    if (outcome.kind === 'abandoned') return STOPPING;
    return { delivery, request, outcome, step: this.policy.nextStep(delivery, outcome) };
  }

  abandonAll(): void {
    this.client.close();
    this.receivers.close();
  }

  private async send(delivery: DueDelivery, permit: Permit) {
    try {
      const request = this.policy.sign(delivery);
      return { request, outcome: await this.client.post(request) };
    } catch (error) {
      permit.end('abandoned');
      throw error;
    }
  }
}

function endOf(outcome: AttemptOutcome | AbandonedAttempt): RequestEnd {
  if (outcome.kind === 'delivered') return 'accepted';
  if (outcome.kind === 'abandoned') return 'abandoned';
  return isTimeout(outcome) ? 'timed_out' : 'failed';
}
