import { Transactions, type AccountTx, Bell } from '#libs/database';
import { Conflict, InvalidField, Replay } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Links, RECORDS, requireUnchanged } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Injectable, Inject } from '@nestjs/common';
import { type WebhookOwner, describeWebhookActivity, requireReaderOf } from './webhook-owner.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';
import { startReplays } from './replay.statements.js';
import { type NewReplays, type ReplayPreview, previewReplay } from './replay-preview.statements.js';

export interface StartedReplays {
  readonly replays: readonly Replay[];
  /** Includes those whose replay is running. */
  readonly webhooks: number;
}

const REPLAY_RUNNING = 'A replay of this webhook is running. Wait until it ends, or cancel it.';

const DAY_MS = 24 * 60 * 60 * 1000;

@Injectable()
export class ReplayStartsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly bell: Bell,
    private readonly links: Links,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** Without `webhookId`, all that are not disabled. Round trips: 2. */
  async preview(owner: WebhookOwner, webhookId: string | null, wanted: NewReplays): Promise<ReplayPreview> {
    if (webhookId !== null) await readWebhook(this.transactions.account(owner), owner, webhookId);
    const range = this.rangeOf(wanted, this.transactions.now());
    return previewReplay(this.transactions.account(owner), owner, { ...wanted, ...range, webhookId });
  }

  /** Two replays would send the same deliveries. */
  start(owner: WebhookOwner, webhookId: string, wanted: NewReplays): Promise<Replay> {
    return this.transactions.run(owner, async (tx) => {
      const webhook = await lockEnabledWebhook(tx, owner, webhookId);
      requireReaderOf(owner, [webhook.event]);
      requireUnchanged(owner, () => [{ webhook: RECORDS.Webhook(webhook, this.links) }]);
      const [started] = await this.insert(tx, owner, { ...wanted, webhookIds: [webhookId] });
      if (!started) throw new Conflict('replay_running', REPLAY_RUNNING);
      return started;
    });
  }

  /** All or none. Safe to repeat: skips webhooks whose replay is running. Round trips: those of the preview, and 2. */
  async startEach(owner: WebhookOwner, webhookId: string | null, wanted: NewReplays): Promise<StartedReplays> {
    const { webhooks, running } = await this.preview(owner, webhookId, wanted);
    const webhookIds = webhooks.map((webhook) => webhook.webhookId);
    const replays = await this.transactions.run(owner, (tx) => this.insert(tx, owner, { ...wanted, webhookIds }));
    return { replays, webhooks: webhookIds.length + running };
  }

  private async insert(
    tx: AccountTx,
    owner: WebhookOwner,
    { webhookIds, choice, lastResponse, ...range }: NewReplays & { readonly webhookIds: readonly string[] },
  ): Promise<Replay[]> {
    const now = this.transactions.now();
    const wanted = { webhookIds, choice, lastResponse: lastResponse ?? null, now, ...this.rangeOf(range, now) };
    const started = await startReplays(tx, owner, wanted);
    const actor = owner.isOperator ? { ...owner, agentId: null } : owner;
    for (const { webhook } of started)
      await insertActivity(tx, actor, { kind: 'webhook_replayed', ...describeWebhookActivity(webhook) }, now);
    this.bell.ringAfter(tx);
    return started.map(({ replay }) => replay);
  }

  private rangeOf({ since, before }: Pick<NewReplays, 'since' | 'before'>, now: Date): { since: Date; before: Date } {
    const kept = new Date(now.getTime() - this.settings.RETENTION_DAYS * DAY_MS);
    const range = { since: since && since > kept ? since : kept, before: before && before < now ? before : now };
    if (range.since >= range.before)
      throw new InvalidField('before', 'empty_range', 'before must be later than since, and since in the past');
    return range;
  }
}
