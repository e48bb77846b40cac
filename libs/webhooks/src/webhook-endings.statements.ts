import { type AccountTx, type SystemConnection, accountStatement, byKey, systemStatement } from '#libs/database';
import type { DisabledReason } from '#libs/entities';
import { queueMailsSql } from '#libs/mail';

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
