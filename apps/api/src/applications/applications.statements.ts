import { accountStatement } from '#libs/database';
import type { Webhook } from '#libs/entities';

export interface ApplicationWebhook extends Pick<Webhook, 'id' | 'applicationId' | 'event' | 'url' | 'state'> {
  /** All webhooks of its application, including those that are not listed. */
  readonly count: number;
}

/** Per application, so that one with many does not hide those of another. The list of webhooks shows the rest. */
export const MAX_APPLICATION_WEBHOOKS = 100;

export const LIST_APPLICATION_WEBHOOKS = accountStatement(
  'console_application_webhooks',
  `select id, application_id as "applicationId", event, url, state, count from (
     select id, application_id, event, url, state, (count(*) over (partition by application_id))::int as count,
       row_number() over (partition by application_id order by id desc) as place
     from webhooks where account_id = $1 and application_id is not null) w
   where place <= ${MAX_APPLICATION_WEBHOOKS} order by application_id, id desc`,
);
