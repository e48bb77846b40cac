import { accountStatement } from '#libs/database';
import type { Webhook } from '#libs/entities';

export type ApplicationWebhook = Pick<Webhook, 'id' | 'applicationId' | 'event' | 'url' | 'state'>;

/** Bounds the page; the list of webhooks shows the rest. */
const MAX_WEBHOOKS = 500;

export const LIST_APPLICATION_WEBHOOKS = accountStatement(
  'console_application_webhooks',
  `select id, application_id as "applicationId", event, url, state from webhooks
   where account_id = $1 and application_id is not null order by application_id, id desc limit ${MAX_WEBHOOKS}`,
);
