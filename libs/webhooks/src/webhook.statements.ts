import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  filter,
  hydrate,
  isUuid,
} from '#libs/database';
import { Conflict, NotFound, Webhook } from '#libs/entities';
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

/** To change it. */
export const lockWebhook = (tx: AccountTx, owner: WebhookOwner, id: string): Promise<Webhook> =>
  find(tx, LOCK, owner, id);

/** To owe it something: until the end of the transaction it is neither removed nor disabled. */
export async function lockEnabledWebhook(tx: AccountTx, owner: WebhookOwner, id: string): Promise<Webhook> {
  const webhook = await find(tx, KEEP, owner, id);
  if (webhook.state === 'disabled')
    throw new Conflict('webhook_disabled', 'The webhook is disabled. Set its state to active first.');
  return webhook;
}

export const loadWebhooks = (connection: AccountConnection, ids: readonly string[]): Promise<Webhook[]> =>
  loadInOrder(connection, LOAD, ids, webhookOf);

async function find(
  connection: AccountConnection,
  statement: typeof READ,
  owner: WebhookOwner,
  id: string,
): Promise<Webhook> {
  const row = isUuid(id) ? await connection.row(statement, [id, ...ownerValues(owner)]) : undefined;
  const webhook = row && webhookOf(row);
  if (!webhook) throw new NotFound('webhook');
  return webhook;
}

function webhookOf(row: Record<string, unknown>): Webhook | null {
  const webhook = hydrate(Webhook, row, 'w');
  const name = row['applicationName'] as string | null;
  return webhook && Object.assign(webhook, { application: name === null ? null : { name } });
}
