import { Clock, Database, MAX_UUID, later, systemStatement } from '#libs/database';
import {
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  OWED_LANES,
  WebhookDisablingService,
  webhookHealth,
} from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { AutoDisableService } from './auto-disable.service.js';
import { type TaskReport, inBatches } from './task.js';

/** Of webhooks, not of deliveries: a long backlog costs nothing here. */
const FIND_UNDELIVERABLE = systemStatement(
  'undeliverable_find',
  'What is owed to webhooks that ended is cancelled in every account',
  `with recursive ${OWED_LANES}
   select l.webhook_id as "webhookId",
     (select account_id from owed_deliveries o where o.webhook_id = l.webhook_id limit 1) as "accountId"
   from lane l left join lateral (select state from webhooks where id = l.webhook_id limit 1) w on true
   where l.webhook_id is not null and coalesce(w.state = 'disabled', true) limit 100`,
);

/**
 * Counts deliveries from the newest back, no further than the rule needs. It begins a day before the first failure, because
 * deliveries that were under way then fail as well.
 */
const FIND_FAILING = systemStatement(
  'health_find_failing',
  'The rule on receivers that keep failing holds in every account',
  `select w.id as "webhookId", w.failing_since as "failingSince", (
     select count(*)::int from (
       select from deliveries d
       where (d.webhook_id, d.id) >= (w.id, uuid_at(w.failing_since - interval '1 day'))
         and (d.webhook_id, d.id) <= (w.id, '${MAX_UUID}') and d.attempts > 0
         and d.state in ('pending', 'exhausted') and coalesce(d.finished_at >= w.failing_since, true)
       order by d.webhook_id desc, d.id desc limit $2) failed
   ) as "failedDeliveries"
   from webhooks w where w.state = 'active' and w.failing_since <= $1`,
);

interface FailingWebhook {
  readonly webhookId: string;
  readonly failingSince: Date;
  readonly failedDeliveries: number;
}

@Injectable()
export class WebhookUpkeepService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly disabling: WebhookDisablingService,
    private readonly autoDisable: AutoDisableService,
  ) {}

  /** Cancels deliveries to disabled or deleted webhooks that are still owed, for example after a crash. */
  async cancelUndeliverable(): Promise<TaskReport> {
    const ended = await this.database.system().rows<{ accountId: string; webhookId: string }>(FIND_UNDELIVERABLE);
    let deliveries = 0;
    for (const { accountId, webhookId } of ended)
      deliveries += await inBatches(() => this.disabling.cancelBatch(accountId, webhookId));
    return { deliveries };
  }

  /** Disables webhooks whose receiver has accepted nothing for days. */
  async disableFailing(): Promise<TaskReport> {
    const now = this.clock.now();
    const limits = [later(now, -DISABLE_AFTER_FAILING_MS), DISABLE_AFTER_FAILED_DELIVERIES];
    let disabled = 0;
    for (const found of await this.database.system().rows<FailingWebhook>(FIND_FAILING, limits)) {
      const { webhookId, failingSince } = found;
      const isFailing = webhookHealth({ ...found, now }) === 'failing';
      if (isFailing && (await this.autoDisable.disable({ webhookId, reason: 'failing', failingSince }))) disabled += 1;
    }
    return { webhooks_disabled: disabled };
  }
}
