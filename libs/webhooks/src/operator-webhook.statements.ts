import { type SystemConnection, columnsOf, systemStatement } from '#libs/database';
import { Webhook, type WebhookState } from '#libs/entities';

const OPERATOR_REASON = 'The operator looks after the webhooks of every account';

const COLUMNS = columnsOf(Webhook)
  .map(({ property, name }) => `w.${name} as "${property}"`)
  .join(', ');

const LIST_FOR_OPERATOR = systemStatement(
  'operator_webhooks_list',
  OPERATOR_REASON,
  `select ${COLUMNS}, a.name as account, p.name as application,
     (select count(*)::int from (select from owed_deliveries o where o.webhook_id = w.id limit 10000) o) as owed
   from webhooks w join accounts a on a.id = w.account_id left join applications p on p.id = w.application_id
   where ($1::uuid is null or w.account_id = $1) and ($2::uuid is null or w.id = $2) and ($3::text is null or w.state = $3)
   order by w.id desc limit $4`,
);

export interface OperatorWebhook extends Omit<Webhook, 'application' | 'changeUrl' | 'setState'> {
  readonly account: string;
  /** Null if an agent made it. */
  readonly application: string | null;
  readonly owed: number;
}

export interface OperatorWebhookSearch {
  readonly accountId?: string | undefined;
  readonly id?: string | undefined;
  readonly state?: WebhookState | undefined;
  readonly limit: number;
}

export const findOperatorWebhooks = (db: SystemConnection, { accountId, id, state, limit }: OperatorWebhookSearch) =>
  db.rows<OperatorWebhook>(LIST_FOR_OPERATOR, [accountId ?? null, id ?? null, state ?? null, limit]);

/** The maker gets the data, so it runs only while the maker has access. */
const ENABLE = systemStatement(
  'operator_webhook_enable',
  OPERATOR_REASON,
  `update webhooks w set state = 'active', disabled_reason = null, failing_since = null, retry_after_until = null,
     slow_until = null, warned_at = null, updated_at = $2
   where w.id = $1 and (w.grant_id is null or exists (
     select from grants g left join applications p on p.id = g.application_id
     where g.id = w.grant_id and g.revoked_at is null and coalesce(g.expires_at > $2, true) and p.disabled_at is null))
   returning w.id`,
);

export const enableWebhook = async (db: SystemConnection, id: string, now: Date): Promise<boolean> =>
  (await db.row(ENABLE, [id, now])) !== undefined;
