import { Clock } from '#libs/database';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { VERSION } from '#libs/telemetry';
import {
  type AsymmetricKey,
  type AttemptOutcome,
  type NextStep,
  asymmetricKeysOf,
  nextStep,
  signatureHeaders,
} from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type DueDelivery, type Postponement, type SignedPost, obstacleTo } from './due-delivery.js';
import { MAX_CACHED_KEYS } from './secret-cache.js';

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

  sign(delivery: DueDelivery): SignedPost {
    const { accountId, webhookId, url, kind, attempts, secrets, credentials, publiclySigned, event } = delivery;
    const { id: eventId, sequence, test, cause, traceparent, body } = event;
    const startedAt = this.clock.now();
    const sent = { accountId, webhookId, eventId, kind, sequence, test, cause, traceparent, body };
    const headers = signatureHeaders({
      ...sent,
      attempt: attempts + 1,
      secrets,
      asymmetricKeys: publiclySigned ? this.keys.memo(webhookId) : [],
      timestamp: startedAt,
      aliases: this.settings.EVENT_HEADER_ALIASES,
      version: VERSION,
    });
    const timeoutMs = this.settings.WEBHOOK_TIMEOUT_MS;
    return { url, headers, credentials, body, timeoutMs, startedAt };
  }

  nextStep({ attempts }: DueDelivery, outcome: AttemptOutcome): NextStep {
    const { schedule } = this;
    return nextStep({ attempt: attempts + 1, outcome, schedule, now: this.clock.now(), random: Math.random });
  }
}
