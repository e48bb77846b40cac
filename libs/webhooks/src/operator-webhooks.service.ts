import { Bell, type Clock, type Database, Transactions, isUuid } from '#libs/database';
import { Conflict, NotFound } from '#libs/entities';
import type { Settings } from '#libs/settings';
import { WebhookDisablingService } from './webhook-disabling.service.js';
import {
  type OperatorWebhook,
  type OperatorWebhookSearch,
  enableWebhook,
  findOperatorWebhooks,
} from './webhook.statements.js';
import type { NewReplays, ReplayPreview } from './replay-preview.statements.js';
import { ReplayStartsService } from './replays.service.js';
import { type ReplayProgress, findOwnerId, readReplayProgress } from './replay.statements.js';
import type { WebhookOwner } from './webhook-owner.js';

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
    if (!found) throw new NotFound('webhook');
    return found;
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
