import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { VERSION } from '#libs/telemetry';
import {
  type AbandonedAttempt,
  type AsymmetricKey,
  type AttemptOutcome,
  type NextStep,
  asymmetricKeysOf,
  nextStep,
  signatureHeaders,
} from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Permit, ReceiverLimitersService } from '../limits/receiver-limiters.service.js';
import type { RequestEnd } from '../limits/request-limiter.js';
import { WebhookClient } from '../sender/webhook-client.js';
import { MAX_CACHED_KEYS } from './attempt-loader.js';
import { isTimeout } from './attempt-recorder.js';
import {
  type AttemptResult,
  type DueDelivery,
  type Postponement,
  STOPPING,
  type SignedPost,
  obstacleTo,
} from './due-delivery.js';

@Injectable()
export class AttemptPolicyService {
  private readonly schedule: readonly number[];
  /** Deriving a key costs ten signatures. */
  private readonly keys: LRUCache<string, readonly AsymmetricKey[]>;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.schedule = settings.WEBHOOK_RETRY_SCHEDULE.map((seconds) => seconds * 1000);
    this.keys = new LRUCache<string, readonly AsymmetricKey[]>({
      maxSize: MAX_CACHED_KEYS,
      sizeCalculation: (keys) => keys.length,
      memoMethod: (webhookId) => asymmetricKeysOf(settings.SECRETS_KEY, webhookId),
    });
  }

  obstacleTo(delivery: DueDelivery): Postponement | null {
    return obstacleTo(delivery, this.clock.now());
  }

  sign({ webhookId, url, kind, attempts, secrets, publiclySigned, event }: DueDelivery): SignedPost {
    const startedAt = this.clock.now();
    const headers = signatureHeaders({
      eventId: event.id,
      kind,
      sequence: event.sequence,
      test: event.test,
      attempt: attempts + 1,
      secrets,
      asymmetricKeys: publiclySigned ? this.keys.memo(webhookId) : [],
      timestamp: startedAt,
      body: event.body,
      aliases: this.settings.EVENT_HEADER_ALIASES,
      version: VERSION,
    });
    return { url, headers, body: event.body, timeoutMs: this.settings.WEBHOOK_TIMEOUT_MS, startedAt };
  }

  nextStep({ attempts }: DueDelivery, outcome: AttemptOutcome): NextStep {
    const { schedule } = this;
    return nextStep({ attempt: attempts + 1, outcome, schedule, now: this.clock.now(), random: Math.random });
  }
}

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
