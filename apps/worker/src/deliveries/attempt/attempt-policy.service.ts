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
} from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type DueDelivery, type Postponement, type SignedPost, obstacleTo } from './due-delivery.js';

/** Deriving the keys of an account costs more than a signature. */
const MAX_CACHED_ACCOUNT_KEYS = 1_000;

@Injectable()
export class AttemptPolicyService {
  private readonly schedule: readonly number[];
  private readonly keys: LRUCache<string, readonly AsymmetricKey[]>;

  constructor(
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.schedule = settings.WEBHOOK_RETRY_SCHEDULE.map((seconds) => seconds * 1000);
    this.keys = new LRUCache<string, readonly AsymmetricKey[]>({
      max: MAX_CACHED_ACCOUNT_KEYS,
      memoMethod: (accountId) => asymmetricKeysOf(settings.SECRETS_KEY, accountId),
    });
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
      asymmetricKeys: publiclySigned ? this.keys.memo(accountId) : [],
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
