import { Clock, Database, Bell, Transactions, isUuid } from '#libs/database';
import { cancelOwed } from '#libs/delivery';
import { Conflict, existing } from '#libs/entities';
import type { Settings } from '#libs/settings';
import { Injectable } from '@nestjs/common';
import {
  type DisableRequest,
  disableWebhook,
  disableWebhooksOfAccess,
  disableWebhooksOfApplication,
  type OperatorWebhook,
  type OperatorWebhookSearch,
  enableWebhook,
  findOperatorWebhooks,
} from './webhook.statements.js';
import type { NewReplays, ReplayPreview } from './replay-preview.statements.js';
import { ReplayStartsService } from './deliveries.service.js';
import { type ReplayProgress, findOwnerId, readReplayProgress } from './replay.statements.js';
import type { WebhookOwner } from './webhook-owner.js';

/**
 * Either condition alone is unfair: ten failures can be one bad minute, and five days one delivery over a long weekend.
 */
export const DISABLE_AFTER_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
export const DISABLE_AFTER_FAILED_DELIVERIES = 10;

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

/** Disables webhooks made under revoked access. Upkeep cancels their deliveries. */
@Injectable()
export class AccessRevocationService {
  readonly disableOfAccess = disableWebhooksOfAccess;
  readonly disableOfApplication = disableWebhooksOfApplication;
}

export class OperatorWebhooksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly disabling: WebhookDisablingService,
  ) {}

  list(search: OperatorWebhookSearch): Promise<OperatorWebhook[]> {
    return findOperatorWebhooks(this.database.system(), search);
  }

  async show(id: string): Promise<OperatorWebhook> {
    const [found] = isUuid(id) ? await findOperatorWebhooks(this.database.system(), { id, limit: 1 }) : [];
    return existing(found, 'webhook');
  }

  async disable(id: string): Promise<boolean> {
    await this.show(id);
    return this.disabling.disable({ webhookId: id, reason: 'operator' });
  }

  async enable(id: string): Promise<void> {
    await this.show(id);
    if (!(await enableWebhook(this.database.system(), id, this.clock.now())))
      throw new Conflict('access_revoked', 'The access under which this webhook was made has ended.');
  }
}

export class OperatorReplaysService {
  private readonly starts: ReplayStartsService;

  constructor(
    private readonly database: Database,
    clock: Clock,
    settings: Settings,
  ) {
    this.starts = new ReplayStartsService(new Transactions(database, clock), new Bell(database), settings);
  }

  async preview(accountId: string, webhookId: string | null, wanted: NewReplays): Promise<ReplayPreview> {
    return this.starts.preview(await this.ownerOf(accountId), webhookId, wanted);
  }

  async start(accountId: string, webhookId: string | null, wanted: NewReplays): Promise<string[]> {
    const { replays } = await this.starts.startEach(await this.ownerOf(accountId), webhookId, wanted);
    return replays.map(({ id }) => id);
  }

  progress(accountId: string, ids: readonly string[]): Promise<ReplayProgress> {
    return readReplayProgress(this.database.account(accountId), ids);
  }

  private async ownerOf(accountId: string): Promise<WebhookOwner> {
    const agentId = await findOwnerId(this.database.account(accountId));
    const noApplication = { applicationId: null, grantId: null, requestId: null };
    return { accountId, agentId, role: 'owner', scopes: ['admin'], ...noApplication, isOperator: true };
  }
}
