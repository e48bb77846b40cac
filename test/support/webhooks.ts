import { randomUUID } from 'node:crypto';
import { SecretBox } from '#libs/secret-box';
import { newWebhookSecret } from '#libs/delivery';
import type { ApiClient } from './api-client.js';
import type { Desk } from './desk.js';
import { seedApplication, seedToken } from './seed.js';

/** An address without a webhook so far. */
const newUrl = (() => {
  let count = 0;
  return (): string => `https://receiver.example/hooks/${++count}`;
})();

export const registerWebhook = async (client: ApiClient, event = 'ticket_started', url = newUrl()) =>
  (await client.post('/v1/webhooks', { event, url })).body.webhook;

export const webhookIdsOf = async (client: ApiClient, query = '') =>
  (await client.get(`/v1/webhooks?per_page=50${query}`)).body.webhooks.map(({ id }: { id: string }) => id);

/** An application admitted by a person of the account, its owner by default. */
export async function letApplicationIn(desk: Desk, name: string, agentId = desk.account.owner.id): Promise<ApiClient> {
  const applicationId = await seedApplication(desk.sql, name);
  const scopes = ['read', 'webhooks'] as const;
  const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId, scopes: [...scopes] });
  return desk.client(token);
}

/** Webhooks for `customer_added`, inserted at once: over the API many would take longer than the test. */
export async function insertWebhooks(desk: Desk, urls: readonly string[]): Promise<void> {
  const box = new SecretBox(desk.settings.SECRETS_KEY);
  const rows = urls.map((url) => {
    const id = randomUUID();
    return { id, url, secretId: randomUUID(), ...box.seal(newWebhookSecret(), id) };
  });
  await desk.sql.query(
    `with webhook as (
       insert into webhooks (id, account_id, event, url, state, created_at, updated_at)
       select id, $1, 'customer_added', url, 'active', now(), now() from unnest($2::uuid[], $3::text[]) as w(id, url))
     insert into webhook_secrets (id, account_id, webhook_id, sealed, key_id, created_at)
     select id, $1, webhook_id, sealed, key_id, now()
     from unnest($4::uuid[], $2::uuid[], $5::bytea[], $6::text[]) as s(id, webhook_id, sealed, key_id)`,
    [
      desk.account.id,
      rows.map(({ id }) => id),
      rows.map(({ url }) => url),
      rows.map(({ secretId }) => secretId),
      rows.map(({ sealed }) => sealed),
      rows.map(({ keyId }) => keyId),
    ],
  );
}
