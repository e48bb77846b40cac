import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { seedAgent, seedToken } from '#test/support/seed.js';
import { letApplicationIn, registerWebhook, webhookIdsOf } from '#test/support/webhooks.js';

const desk = deskForFile();

/** Checks that the webhook does not exist for this client. */
const untouchable = async (client: ApiClient, id: string) => {
  const path = `/v1/webhooks/${id}`;
  const answers = [
    await client.get(path),
    await client.patch(path, { state: 'paused' }),
    await client.get(`${path}/secret`),
    await client.post(`${path}/secret/rotate`),
    await client.post(`${path}/test`),
    await client.get(`${path}/deliveries`),
    await client.post(`${path}/replay`, {}),
    await client.get(`${path}/replays`),
    await client.delete(path),
  ];
  return answers.every(({ status, body }) => status === 404 && body.error === 'webhook_not_found');
};

/** Makes a webhook whose application has lost its access. */
async function revoked() {
  const app = await letApplicationIn(desk, 'Revoked');
  const { id } = await registerWebhook(app);
  await desk.sql.query(
    `with ended as (update grants set revoked_at = now() where id = (select grant_id from webhooks where id = $1))
     update webhooks set state = 'disabled', disabled_reason = 'access_revoked' where id = $1`,
    [id],
  );
  return id as string;
}

describe('the list of webhooks', () => {
  it('shows an application its own, with its name', async () => {
    const [one, other] = [await letApplicationIn(desk, 'One'), await letApplicationIn(desk, 'Other')];

    const webhook = await registerWebhook(one);

    expect(webhook.application).toBe('One');
    expect(await webhookIdsOf(one)).toEqual([webhook.id]);
    expect(await webhookIdsOf(other)).toEqual([]);
    expect(await untouchable(other, webhook.id)).toBe(true);
  });

  it('shows a person without the scope admin their own', async () => {
    const person = { role: 'admin', scopes: ['read', 'webhooks'] } as const;
    const seed = () => seedAgent(desk.sql, desk.account.id, { ...person, scopes: [...person.scopes] });
    const [one, other] = [await seed(), await seed()];

    const webhook = await registerWebhook(desk.client(one.token));

    expect(await webhookIdsOf(desk.client(one.token))).toEqual([webhook.id]);
    expect(await untouchable(desk.client(other.token), webhook.id)).toBe(true);
  });

  it('shows owners all of the account with the scope admin', async () => {
    const admin = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const webhook = await registerWebhook(desk.client(admin.token));
    const { id: accountId, owner } = desk.account;
    const narrow = await seedToken(desk.sql, { accountId, agentId: owner.id, scopes: ['read', 'webhooks'] });

    expect(await webhookIdsOf(desk.client())).toContain(webhook.id);
    expect(await untouchable(desk.client(narrow), webhook.id)).toBe(true);
  });
});

describe('a webhook whose owner lost access', () => {
  it('cannot be enabled by others', async () => {
    const { status, body } = await desk.client().patch(`/v1/webhooks/${await revoked()}`, { state: 'active' });

    expect([status, body.error]).toEqual([409, 'access_revoked']);
  });

  it('can be enabled by its owner after they regain access', async () => {
    const id = await revoked();
    const { rows } = await desk.sql.query('select application_id from webhooks where id = $1', [id]);
    const { id: accountId, owner } = desk.account;
    const again = await seedToken(desk.sql, { accountId, agentId: owner.id, applicationId: rows[0].application_id });

    const { body } = await desk.client(again).patch(`/v1/webhooks/${id}`, { state: 'active' });

    const made = await desk.sql.query(
      'select revoked_at from grants g join webhooks w on w.grant_id = g.id where w.id = $1',
      [id],
    );
    expect(body.webhook.state).toBe('active');
    expect(made.rows).toEqual([{ revoked_at: null }]);
  });
});
