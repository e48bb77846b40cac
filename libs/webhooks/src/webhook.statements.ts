import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  byKey,
  columns,
  columnsOf,
  filter,
  hydrate,
  isUuid,
  systemStatement,
} from '#libs/database';
import { Conflict, type DisabledReason, Webhook, type WebhookState, existing } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { queueMailsSql } from '#libs/mail';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';

const SELECT = `select ${columns(Webhook, 'w')}, p.name as "applicationName"
  from webhooks w left join applications p on p.id = w.application_id`;

const FIND = `${SELECT} where w.id = $2 and ${filter('w.account_id = $1')} and ${visibleToOwner(['$3', '$4', '$5'])}`;
const READ = accountStatement('webhook_read', FIND);
const LOCK = accountStatement('webhook_lock', `${FIND} for no key update of w`);
const KEEP = accountStatement('webhook_keep', `${FIND} for share of w`);
const LOAD = accountStatement('webhook_load', `${SELECT} where w.account_id = $1 and w.id = any($2)`);

export const readWebhook = (connection: AccountConnection, owner: WebhookOwner, id: string): Promise<Webhook> =>
  find(connection, READ, owner, id);

export const lockWebhook = (tx: AccountTx, owner: WebhookOwner, id: string): Promise<Webhook> =>
  find(tx, LOCK, owner, id);

const LOCK_OF_KEY = accountStatement(
  'webhook_lock_of_key',
  `${SELECT} where w.account_id = $1
     and (coalesce(w.application_id, w.agent_id) = $2 and w.key = $3 or w.registration_key = $4 and w.key is null)
   order by w.key limit 1 for no key update of w`,
);

export async function lockOfKey(tx: AccountTx, { applicationId, agentId, key, registrationKey }: Webhook) {
  const row = await tx.row(LOCK_OF_KEY, [applicationId ?? agentId, key, registrationKey]);
  return row && webhookOf(row);
}

const FIND_REGISTERED = accountStatement(
  'webhooks_find_registered',
  'select id, event from webhooks where account_id = $1 and registration_key = any($2) order by event',
);

export const findRegistered = (account: AccountConnection, keys: readonly Buffer[]) =>
  account.rows<Pick<Webhook, 'id' | 'event'>>(FIND_REGISTERED, [keys]);

/** Blocks removal and disabling until the transaction ends. */
export async function lockEnabledWebhook(tx: AccountTx, owner: WebhookOwner, id: string): Promise<Webhook> {
  const webhook = await find(tx, KEEP, owner, id);
  if (webhook.state === 'disabled')
    throw new Conflict('webhook_disabled', 'The webhook is disabled. Set its state to active first.');
  return webhook;
}

export const loadWebhooks = (connection: AccountConnection, ids: readonly string[]): Promise<Webhook[]> =>
  loadInOrder(connection, LOAD, ids, webhookOf);

async function find(connection: AccountConnection, statement: typeof READ, owner: WebhookOwner, id: string) {
  const row = isUuid(id) ? await connection.row(statement, [id, ...ownerValues(owner)]) : undefined;
  return existing(row && webhookOf(row), 'webhook');
}

function webhookOf(row: Record<string, unknown>): Webhook | null {
  const webhook = hydrate(Webhook, row, 'w');
  const name = row['applicationName'] as string | null;
  return webhook && Object.assign(webhook, { application: name === null ? null : { name } });
}

const FIND_LIVE_GRANT = accountStatement(
  'webhook_grant_live',
  `select p.approved_at is not null as "isApproved" from grants g left join applications p on p.id = g.application_id
   where g.account_id = $1 and g.id = $2 and g.revoked_at is null and coalesce(g.expires_at > $3, true) and p.disabled_at is null
   for share of g`,
);

/** Revoking the grant waits until the transaction ends, and then disables its webhooks. */
export const findLiveGrant = (
  tx: AccountTx,
  grantId: string,
  now: Date,
): Promise<{ readonly isApproved: boolean } | undefined> =>
  tx.row<{ isApproved: boolean }>(FIND_LIVE_GRANT, [grantId, now]);

const REVOKE_ACCESS = "set state = 'disabled', disabled_reason = 'access_revoked', warned_at = null";

/** Emails the owner and admins about the rows of `noted`. */
const noticesOf = (reason: string, { until = 'null', now = '$3' } = {}): string =>
  queueMailsSql(
    'webhook_notice',
    `select d.account_id, a.email, jsonb_build_object('webhook', d.id, 'event', d.event, 'url', d.url, 'reason', ${reason}::text,
         'until', ${until}::text), ${now}::timestamptz
     from noted d cross join lateral (
       select email from agents where account_id = d.account_id and state = 'active' and role in ('owner', 'admin')
       offset 0) a`,
  );

/** `$4` is an archived maker, whose webhooks without a grant stop too. One notice covers those of a URL. */
const DISABLE_OF_ACCESS = accountStatement(
  'webhooks_disable_of_access',
  `with stopped as (
     update webhooks ${REVOKE_ACCESS}, updated_at = $3
     where account_id = $1 and (grant_id = any($2::uuid[]) or grant_id is null and agent_id = $4) and state <> 'disabled'
     returning id, event, url, grant_id
   ), noted as (
     select $1::uuid as account_id, min(id::text) as id, string_agg(event, ', ' order by event) as event, url
     from stopped where grant_id is null group by url
   )
   ${noticesOf("'access_revoked'")}`,
);

type EndedAccess = { readonly grantIds: readonly string[]; readonly makerId?: string };

export async function disableWebhooksOfAccess(tx: AccountTx, { grantIds, makerId }: EndedAccess, now: Date) {
  await tx.rows(DISABLE_OF_ACCESS, [grantIds, now, makerId ?? null]);
}

const DISABLE_OF_APPLICATION = systemStatement(
  'webhooks_disable_of_application',
  'An application belongs to the operator and has webhooks in many accounts',
  `update webhooks ${REVOKE_ACCESS}, updated_at = $2 where application_id = $1 and state <> 'disabled' returning id`,
);

export async function disableWebhooksOfApplication(tx: SystemConnection, applicationId: string, now: Date) {
  return (await tx.rows(DISABLE_OF_APPLICATION, [applicationId, now])).length;
}

const DISABLE_OF_EXPIRED = systemStatement(
  'webhooks_disable_of_expired',
  'Upkeep ends the webhooks of all accounts alike',
  `update webhooks w ${REVOKE_ACCESS}, updated_at = $1 from grants g
   where g.id = w.grant_id and w.state <> 'disabled' and (g.expires_at <= $1 or g.revoked_at is not null) returning w.id`,
);

/** Access can end by itself, because the person limited it. Returns the number of webhooks. */
export async function disableWebhooksOfExpired(db: SystemConnection, now: Date): Promise<number> {
  return (await db.rows(DISABLE_OF_EXPIRED, [now])).length;
}

/** The decision was based on `$4` and `$5`: a success in between clears the first, a new URL replaces the second. */
const DISABLE = systemStatement(
  'webhook_disable',
  'The rules on receivers that are gone or keep failing, and the operator, reach every account',
  `with noted as (
     update webhooks set state = 'disabled', disabled_reason = $2, updated_at = $3, warned_at = null
     where id = $1 and state <> 'disabled' and ($4::timestamptz is null or failing_since = $4)
       and ($5::text is null or url = $5)
     returning id, account_id, event, url
   ), notice as (${noticesOf('$2')})
   select account_id as "accountId" from noted`,
);

export interface DisableRequest {
  readonly webhookId: string;
  readonly reason: DisabledReason;
  readonly failingSince?: Date;
  readonly url?: string;
}

/** Undefined if it was disabled before. */
export async function disableWebhook(
  db: SystemConnection,
  { webhookId, reason, failingSince, url }: DisableRequest,
  now: Date,
): Promise<string | undefined> {
  const values = [webhookId, reason, now, failingSince ?? null, url ?? null];
  return (await db.row<{ accountId: string }>(DISABLE, values))?.accountId;
}

const HEALTH_REASON = 'The rule on receivers that keep failing holds in every account';

/** If several workers look at once, the one that writes `warned_at` queues the emails. */
const WARN = systemStatement(
  'webhook_warn',
  HEALTH_REASON,
  `with noted as (
     update webhooks set warned_at = $3
     where id = $1 and state = 'active' and failing_since = $2 and warned_at is null
     returning id, account_id, event, url
   ), notice as (${noticesOf("'warning'", { until: '$4' })})
   select from noted`,
);

export async function warnOfFailing(
  db: SystemConnection,
  { webhookId, failingSince, until }: { webhookId: string; failingSince: Date; until: Date },
  now: Date,
): Promise<boolean> {
  return (await db.rows(WARN, [webhookId, failingSince, now, until.toISOString()])).length > 0;
}

/** A receiver that failed again since had a success in between. */
const RECOVER = systemStatement(
  'webhooks_recover',
  HEALTH_REASON,
  `with well as materialized (
     select id from webhooks where warned_at is not null and coalesce(failing_since > warned_at, true) and state <> 'disabled'
     order by id limit $2 for update
   ), noted as (
     update webhooks w set warned_at = null from well where ${byKey('w.id', 'well.id')}
     returning w.id, w.account_id, w.event, w.url
   ), notice as (${noticesOf("'recovered'", { now: '$1' })})
   select from noted`,
);

export const noteRecovered = async (db: SystemConnection, now: Date, limit: number): Promise<number> =>
  (await db.rows(RECOVER, [now, limit])).length;

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
