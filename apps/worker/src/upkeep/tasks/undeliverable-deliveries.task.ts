import { Database, systemStatement } from '#libs/database';
import { WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

/** Finds the webhooks by skipping through the index, so a long backlog costs nothing here. */
const FIND_UNDELIVERABLE = systemStatement(
  'undeliverable_find',
  'What is owed to webhooks that ended is cancelled in every account',
  `with recursive lane as (
     (select webhook_id from owed_deliveries order by webhook_id limit 1)
     union all
     select (select o.webhook_id from owed_deliveries o where o.webhook_id > l.webhook_id order by o.webhook_id limit 1)
     from lane l where l.webhook_id is not null
   )
   select l.webhook_id as "webhookId",
     (select account_id from owed_deliveries o where o.webhook_id = l.webhook_id limit 1) as "accountId"
   from lane l left join webhooks w on w.id = l.webhook_id
   where l.webhook_id is not null and coalesce(w.state = 'disabled', true) limit 100`,
);

interface EndedWebhook {
  readonly accountId: string;
  readonly webhookId: string;
}

/** Cancels deliveries to disabled or deleted webhooks that are still owed, for example after a crash. */
@Injectable()
export class UndeliverableDeliveriesTask implements Task {
  readonly name = 'undeliverable';
  readonly everyMs = MINUTE_MS;

  constructor(
    private readonly database: Database,
    private readonly disabling: WebhookDisablingService,
  ) {}

  async run(): Promise<TaskReport> {
    let deliveries = 0;
    for (const { accountId, webhookId } of await this.database.system().rows<EndedWebhook>(FIND_UNDELIVERABLE))
      deliveries += await inBatches(() => this.disabling.cancelBatch(accountId, webhookId));
    return { deliveries };
  }
}
