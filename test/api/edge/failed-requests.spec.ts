import { beforeAll, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ApiClient } from '#test/support/api-client.js';

const desk = deskForFile();
beforeAll(async () => {
  await desk.sql.query("alter table groups add constraint refuses_it check (name <> 'Fails')");
});

it('keeps the Idempotency-Key of a request that failed with 500, because its change may be stored', async () => {
  const client = new ApiClient(desk.base, desk.account.owner.token);
  const create = () => client.post('/v1/groups', { name: 'Fails' }, { 'idempotency-key': 'failing' });

  const failed = await create();
  const atOnce = await create();
  desk.clock.advance({ seconds: 61 });
  const later = await create();

  expect(failed.status).toBe(500);
  expect([atOnce.status, atOnce.body.error]).toEqual([409, 'request_in_progress']);
  expect([later.status, later.body.error]).toEqual([409, 'outcome_unknown']);
});
