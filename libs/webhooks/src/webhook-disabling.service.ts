import { Clock, Database, later } from '#libs/database';
import { cancelOwed } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { type DisableRequest, disableWebhook } from './webhook-endings.statements.js';

/**
 * Either condition alone is unfair: ten failures can be one bad minute, and five days one delivery over a long weekend.
 */
export const DISABLE_AFTER_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
export const DISABLE_AFTER_FAILED_DELIVERIES = 10;

export const disabledAt = (failingSince: Date): Date => later(failingSince, DISABLE_AFTER_FAILING_MS);

/** Bounds the locks of a statement. */
const BATCH = 2_000;

@Injectable()
export class WebhookDisablingService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Upkeep cancels the rest if the process ends. Returns whether this call disabled the webhook. */
  async disable(request: DisableRequest): Promise<boolean> {
    const accountId = await disableWebhook(this.database.system(), request, this.clock.now());
    if (accountId === undefined) return false;
    while ((await this.cancelBatch(accountId, request.webhookId)) === BATCH);
    return true;
  }

  cancelBatch(accountId: string, webhookId: string): Promise<number> {
    return cancelOwed(this.database.account(accountId), webhookId, { now: this.clock.now(), limit: BATCH });
  }
}
