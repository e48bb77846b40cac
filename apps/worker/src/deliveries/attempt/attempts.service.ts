import type { AbandonedAttempt, AttemptOutcome } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { ReceiverLimitersService, type Permit } from '../limits/receiver-limiters.service.js';
import type { RequestEnd } from '../limits/request-limiter.js';
import { WebhookClient } from '../sender/webhook-client.js';
import { AttemptLoader } from './attempt-loader.js';
import { AttemptPolicyService } from './attempt-policy.service.js';
import { AttemptRecorder, isTimeout } from './attempt-recorder.js';
import { type DueDelivery, type LeasedDelivery, type Postponement, STOPPING } from './due-delivery.js';

/** Round trips per delivery: PostgreSQL 2/n, with n (up to 200) in a batch; Redis only BullMQ’s own. */
@Injectable()
export class AttemptsService {
  constructor(
    private readonly loader: AttemptLoader,
    private readonly policy: AttemptPolicyService,
    private readonly receivers: ReceiverLimitersService,
    private readonly client: WebhookClient,
    private readonly recorder: AttemptRecorder,
  ) {}

  /** Returns why the delivery must wait. Calls `hold` once it is found to be owed. */
  async attempt(leased: LeasedDelivery, hold: () => void): Promise<Postponement | null> {
    const delivery = await this.loader.load(leased);
    if (!delivery) return null;
    hold();

    const obstacle = this.policy.obstacleTo(delivery);
    if (obstacle) return obstacle;
    const permit = await this.receivers.acquire(delivery);
    if (permit.kind !== 'permit') return { reason: permit.kind, forMs: permit.forMs };

    const { request, outcome } = await this.send(delivery, permit);
    permit.end(endOf(outcome));
    if (outcome.kind === 'abandoned') return STOPPING;

    const step = this.policy.nextStep(delivery, outcome);
    await this.recorder.record({ delivery, request, outcome, step }, leased.queueKind);
    return null;
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

  abandonAll(): void {
    this.client.close();
    this.receivers.close();
  }
}

function endOf(outcome: AttemptOutcome | AbandonedAttempt): RequestEnd {
  if (outcome.kind === 'delivered') return 'accepted';
  if (outcome.kind === 'abandoned') return 'abandoned';
  return isTimeout(outcome) ? 'timed_out' : 'failed';
}
