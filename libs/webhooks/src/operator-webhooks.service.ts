import { Clock, Database, isUuid } from '#libs/database';
import { Conflict, NotFound, type WebhookState } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { WebhookDisablingService } from './webhook-disabling.service.js';
import { type OperatorWebhook, enableWebhook, findOperatorWebhooks } from './webhook.statements.js';

interface WebhookSearch {
  readonly accountId?: string | undefined;
  readonly state?: WebhookState | undefined;
  readonly limit: number;
}

@Injectable()
export class OperatorWebhooksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly disabling: WebhookDisablingService,
  ) {}

  list(search: WebhookSearch): Promise<OperatorWebhook[]> {
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
