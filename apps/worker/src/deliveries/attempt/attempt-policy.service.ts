import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { VERSION } from '#libs/telemetry';
import { type AttemptOutcome, type NextStep, nextStep, signatureHeaders } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import type { WebhookPost } from '../sender/webhook-client.js';
import type { DueDelivery } from './due-delivery.js';
import { KeyCache } from './key-cache.js';
import { type Postponement, obstacleTo } from './postponement.js';

/** The one POST of an attempt. `startedAt` is the moment that is signed with it. */
export interface SignedPost extends WebhookPost {
  readonly startedAt: Date;
}

/** The pure rules for attempts, applied with the settings and the clock of this process. */
@Injectable()
export class AttemptPolicyService {
  private readonly schedule: readonly number[];

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly keys: KeyCache,
  ) {
    this.schedule = settings.WEBHOOK_RETRY_SCHEDULE.map((seconds) => seconds * 1000);
  }

  obstacleTo(delivery: DueDelivery): Postponement | null {
    return obstacleTo(delivery, this.clock.now());
  }

  sign({ accountId, url, kind, attempts, secrets, publiclySigned, event }: DueDelivery): SignedPost {
    const startedAt = this.clock.now();
    const headers = signatureHeaders({
      eventId: event.id,
      kind,
      sequence: event.sequence,
      test: event.test,
      attempt: attempts + 1,
      secrets,
      asymmetricKeys: publiclySigned ? this.keys.of(accountId) : [],
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
