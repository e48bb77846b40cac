import { randomUUID } from 'node:crypto';
import { createDataSource, revertMigrations, runMigrations, uuidAt } from '#libs/database';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.js';
import { type Desk, startDesk } from '../support/desk.js';

let desk: Desk;
let dataSource: DataSource;

beforeAll(async () => {
  desk = await startDesk({ settings: { WEBHOOKS_PER_ACCOUNT: '5000' } });
  const settings = { DATABASE_URL: desk.environment['DATABASE_URL']!, DATABASE_POOL_SIZE: 2 };
  dataSource = await createDataSource(settings, 'tests').initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await desk.stop();
});

async function insertWebhook(id: string, url: string): Promise<void> {
  await dataSource.query(
    `insert into webhooks (id, account_id, agent_id, event, url, state, created_at, updated_at)
     values ($1, $2, $3, 'note_added', $4, 'active', now(), now())`,
    [id, desk.account.id, desk.account.owner.id, url],
  );
}

describe('The migration to webhooks that are registered once', () => {
  it('keeps those that were the same, in whatever batch, and refuses new ones', async () => {
    const count = dataSource.migrations.findIndex((migration) => migration.constructor.name.startsWith('RegisterOnce'));
    await revertMigrations(dataSource, dataSource.migrations.length - count);
    const ids = Array.from({ length: 3 }, (_, place) => uuidAt(new Date(1_000 * place)));
    for (const id of ids) await insertWebhook(id, 'https://Same.example');
    for (let place = 0; place < 1_100; place++)
      await insertWebhook(uuidAt(new Date(10_000)), `https://x.example/${place}`);
    await insertWebhook(randomUUID(), 'https://same.example/');
    await insertWebhook(randomUUID(), 'not an address');

    await runMigrations(dataSource);

    const rows = await dataSource.query(
      "select id, registration_key is not null as keyed from webhooks where url ilike 'https://same%' order by id",
    );
    expect(rows).toHaveLength(4);
    expect(rows.filter(({ keyed }: { keyed: boolean }) => keyed)).toEqual([{ id: ids[0], keyed: true }]);
    const again = { event: 'note_added', url: 'https://SAME.example:443' };
    const client = new ApiClient(desk.base, desk.account.owner.token);
    expect((await client.post('/v1/webhooks', again)).status).toBe(422);
    const paused = await client.patch(`/v1/webhooks/${ids[1]}`, { state: 'paused' });
    expect([paused.status, paused.body.webhook.state]).toEqual([200, 'paused']);
  });
});
