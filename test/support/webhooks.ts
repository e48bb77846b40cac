import type { ApiClient } from './api-client.js';
import type { Desk } from './desk.js';
import { seedApplication, seedToken } from './seed.js';

/** An address that has no webhook yet. */
const newUrl = (() => {
  let count = 0;
  return (): string => `https://receiver.example/hooks/${++count}`;
})();

export const registerWebhook = async (client: ApiClient, event = 'ticket_started', url = newUrl()) =>
  (await client.post('/v1/webhooks', { event, url })).body.webhook;

export const webhookIdsOf = async (client: ApiClient, query = '') =>
  (await client.get(`/v1/webhooks?per_page=50${query}`)).body.webhooks.map(({ id }: { id: string }) => id);

/** An application that a person of the account, its owner unless said, has let in. */
export async function letApplicationIn(desk: Desk, name: string, agentId = desk.account.owner.id): Promise<ApiClient> {
  const applicationId = await seedApplication(desk.sql, name);
  const scopes = ['read', 'webhooks'] as const;
  const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId, scopes: [...scopes] });
  return desk.client(token);
}
