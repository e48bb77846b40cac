import { Bell, type Clock, type Database, Transactions, accountStatement } from '#libs/database';
import { NotFound } from '#libs/entities';
import type { Settings } from '#libs/settings';
import type { ReplayPreview } from '../replay-preview.js';
import { type NewReplays, ReplayStartsService } from '../replay-starts.service.js';
import type { WebhookOwner } from '../webhook-owner.js';

const FIND_OWNER = accountStatement(
  'operated_replay_owner',
  `select id from agents where account_id = $1 and role = 'owner' and state <> 'archived' order by created_at, id limit 1`,
);

const PROGRESS = accountStatement(
  'operated_replay_progress',
  `select count(*) filter (where finished_at is null)::int as running,
     count(*) filter (where state = 'counting')::int as counting,
     coalesce(sum(total), 0)::int as total, coalesce(sum(redelivered), 0)::int as redelivered
   from replays where account_id = $1 and id = any($2)`,
);

/** Of several replays together. */
export interface ReplayProgress {
  readonly running: number;
  /** Of these it is not known yet how much there is. */
  readonly counting: number;
  readonly total: number;
  readonly redelivered: number;
}

/** Replays that the operator starts, in the place of an account’s owner. */
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

  /** The ids of what was started. */
  async start(accountId: string, webhookId: string | null, wanted: NewReplays): Promise<string[]> {
    const { replays } = await this.starts.startEach(await this.ownerOf(accountId), webhookId, wanted);
    return replays.map(({ id }) => id);
  }

  async progress(accountId: string, ids: readonly string[]): Promise<ReplayProgress> {
    return (await this.database.account(accountId).row<ReplayProgress>(PROGRESS, [ids]))!;
  }

  private async ownerOf(accountId: string): Promise<WebhookOwner> {
    const owner = await this.database.account(accountId).row<{ id: string }>(FIND_OWNER);
    if (!owner) throw new NotFound('agent');
    const noApplication = { applicationId: null, grantId: null, requestId: null };
    return { accountId, agentId: owner.id, role: 'owner', scopes: ['admin'], ...noApplication, isOperator: true };
  }
}
