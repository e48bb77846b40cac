import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  isUuid,
} from '#libs/database';
import { Conflict, Webhook, existing } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
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
