import { Clock, Database, systemStatement } from '#libs/database';
import { DISABLE_AFTER_FAILED_DELIVERIES, DISABLE_AFTER_FAILING_MS, webhookHealth } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../durations.js';
import { type TaskReport, type Task } from '../task.js';
import { AutoDisableService } from '../auto-disable.service.js';

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
       where d.webhook_id = w.id and d.id >= uuid_at(w.failing_since - interval '1 day') and d.attempts > 0
         and d.state in ('pending', 'exhausted') and coalesce(d.finished_at >= w.failing_since, true)
       order by d.id desc limit $2) failed
   ) as "failedDeliveries"
   from webhooks w where w.state = 'active' and w.failing_since <= $1`,
);

interface FailingWebhook {
  readonly webhookId: string;
  readonly failingSince: Date;
  readonly failedDeliveries: number;
}

/** Disables webhooks whose receiver has accepted nothing for days. */
@Injectable()
export class FailingWebhooksTask implements Task {
  readonly name = 'health';
  readonly everyMs = 5 * MINUTE_MS;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly autoDisable: AutoDisableService,
  ) {}

  async run(): Promise<TaskReport> {
    let disabled = 0;
    for (const { webhookId, failingSince, failedDeliveries } of await this.failing()) {
      const verdict = webhookHealth({ failingSince, failedDeliveries, now: this.clock.now() });
      if (verdict === 'failing' && (await this.autoDisable.disable({ webhookId, reason: 'failing', failingSince })))
        disabled += 1;
    }
    return { webhooks_disabled: disabled };
  }

  private failing(): Promise<FailingWebhook[]> {
    const longSince = new Date(this.clock.now().getTime() - DISABLE_AFTER_FAILING_MS);
    return this.database.system().rows<FailingWebhook>(FIND_FAILING, [longSince, DISABLE_AFTER_FAILED_DELIVERIES]);
  }
}
