import { Clock, Database, columnsOf, isUuid, systemStatement } from '#libs/database';
import { Conflict, NotFound, Webhook, type WebhookState } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { WebhookDisablingService } from '../webhook-disabling.service.js';

const REASON = 'The operator looks after the webhooks of every account';

const COLUMNS = columnsOf(Webhook)
  .map(({ property, name }) => `w.${name} as "${property}"`)
  .join(', ');

const LIST = systemStatement(
  'operated_webhooks',
  REASON,
  `select ${COLUMNS}, a.name as account, p.name as application,
     (select count(*)::int from (select from owed_deliveries o where o.webhook_id = w.id limit 10000) o) as owed
   from webhooks w join accounts a on a.id = w.account_id left join applications p on p.id = w.application_id
   where ($1::uuid is null or w.account_id = $1) and ($2::uuid is null or w.id = $2) and ($3::text is null or w.state = $3)
   order by w.id desc limit $4`,
);

/** A webhook sends an account's data to whoever made it, so it runs only for as long as its maker has access. */
const ENABLE = systemStatement(
  'operated_webhook_enable',
  REASON,
  `update webhooks w set state = 'active', disabled_reason = null, failing_since = null, paced_until = null,
     slow_until = null, updated_at = $2
   where w.id = $1 and (w.grant_id is null or exists (
     select from grants g left join applications p on p.id = g.application_id
     where g.id = w.grant_id and g.revoked_at is null and p.disabled_at is null))
   returning w.id`,
);

export interface OperatorWebhook extends Omit<Webhook, 'application' | 'changeUrl' | 'setState'> {
  readonly account: string;
  /** Null where a person made it. */
  readonly application: string | null;
  /** Counted up to 10,000. */
  readonly owed: number;
}

interface WebhookSearch {
  readonly accountId?: string | undefined;
  readonly state?: WebhookState | undefined;
  readonly limit: number;
}

/** What the operator does with webhooks, of whichever account. */
@Injectable()
export class OperatorWebhooksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly disabling: WebhookDisablingService,
  ) {}

  /** Newest first. */
  list({ accountId, state, limit }: WebhookSearch): Promise<OperatorWebhook[]> {
    return this.find([accountId ?? null, null, state ?? null, limit]);
  }

  async show(id: string): Promise<OperatorWebhook> {
    const [found] = isUuid(id) ? await this.find([null, id, null, 1]) : [];
    if (!found) throw new NotFound('webhook');
    return found;
  }

  /** What is owed to it is cancelled, and its people get a mail. Says whether it was on. */
  async disable(id: string): Promise<boolean> {
    await this.show(id);
    return this.disabling.disable({ webhookId: id, reason: 'operator' });
  }

  async enable(id: string): Promise<void> {
    await this.show(id);
    if (!(await this.database.system().row(ENABLE, [id, this.clock.now()])))
      throw new Conflict('access_revoked', 'The access under which this webhook was made has ended.');
  }

  private find(values: unknown[]): Promise<OperatorWebhook[]> {
    return this.database.system().rows<OperatorWebhook>(LIST, values);
  }
}
