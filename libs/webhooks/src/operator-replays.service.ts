import { Clock, Database, Bell, Transactions } from '#libs/database';
import { Links } from '#libs/payloads';
import type { Settings } from '#libs/settings';
import type { NewReplays, ReplayPreview } from './replay-preview.statements.js';
import { ReplayStartsService } from './replay-starts.service.js';
import { type ReplayProgress, findOwnerId, readReplayProgress } from './replay.statements.js';
import type { WebhookOwner } from './webhook-owner.js';

export class OperatorReplaysService {
  private readonly starts: ReplayStartsService;

  constructor(
    private readonly database: Database,
    clock: Clock,
    settings: Settings,
  ) {
    const links = new Links(settings.PUBLIC_URL);
    this.starts = new ReplayStartsService(new Transactions(database, clock), new Bell(database), links, settings);
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
