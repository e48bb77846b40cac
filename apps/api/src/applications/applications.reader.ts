import { type AuthorisedApplication, ConsentsService } from '#libs/access';
import { Database, accountStatement } from '#libs/database';
import type { Webhook } from '#libs/entities';
import { Injectable } from '@nestjs/common';

export type ApplicationWebhook = Pick<Webhook, 'id' | 'applicationId' | 'event' | 'url' | 'state'>;

/** An application with everybody who granted it access. */
export interface ApplicationAccess {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly AuthorisedApplication[];
  readonly webhooks: readonly ApplicationWebhook[];
}

const MAX_WEBHOOKS = 500;

const WEBHOOKS = accountStatement(
  'console_application_webhooks',
  `select id, application_id as "applicationId", event, url, state from webhooks
   where account_id = $1 and application_id is not null order by application_id, id desc limit ${MAX_WEBHOOKS}`,
);

@Injectable()
export class ApplicationsReader {
  constructor(
    private readonly consents: ConsentsService,
    private readonly database: Database,
  ) {}

  async list(accountId: string): Promise<ApplicationAccess[]> {
    const [grants, webhooks] = await Promise.all([
      this.consents.list(accountId),
      this.database.account(accountId).rows<ApplicationWebhook>(WEBHOOKS),
    ]);
    const ids = [...new Set(grants.map(({ applicationId }) => applicationId))];
    return ids.map((id) => {
      const own = grants.filter(({ applicationId }) => applicationId === id);
      const registered = webhooks.filter(({ applicationId }) => applicationId === id);
      return { id, name: own[0]?.name ?? '', grants: own, webhooks: registered };
    });
  }
}
