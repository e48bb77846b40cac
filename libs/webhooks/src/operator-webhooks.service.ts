import { Clock, Database, isUuid } from '#libs/database';
import { existing } from '#libs/entities';
import {
  type OperatorWebhook,
  type OperatorWebhookSearch,
  enableWebhook,
  findOperatorWebhooks,
} from './operator-webhook.statements.js';
import { accessEnded } from './webhook-validator.js';
import { WebhookDisablingService } from './webhook-disabling.service.js';

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
    if (!(await enableWebhook(this.database.system(), id, this.clock.now()))) throw accessEnded();
  }
}
