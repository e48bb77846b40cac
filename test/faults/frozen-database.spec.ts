// @module-tag long
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { ApiClient } from '#test/support/api-client.js';
import { freezeDatabase } from '#test/support/freeze-database.js';
import { type PrivateServer, startServer } from '#test/support/servers.js';

/** A client takes a connection as lost after nine seconds. */
const FROZEN_MS = 15_000;

let server: PrivateServer;
let oauth: OAuthDesk;
beforeAll(async () => {
  server = await startServer('postgres');
  oauth = await OAuthDesk.start({}, { databaseServer: server.url });
});
afterAll(async () => {
  await oauth.stop();
  await server.stop();
});

const customer = () => ({ email: `${crypto.randomUUID()}@example.com`, first_name: 'Ada' });
const webhook = () => ({ event: 'ticket_started', url: `https://receiver.example/${crypto.randomUUID()}` });
const key = () => ({ 'idempotency-key': crypto.randomUUID() });

it('returns 503 for every request that fails while PostgreSQL is frozen', { timeout: 90_000 }, async () => {
  const client = new ApiClient(oauth.base, oauth.desk.account.owner.token);
  const person = await oauth.person();
  const requests = [
    () => client.get('/v1/tickets'),
    () => client.post('/v1/customers', customer()),
    () => client.post('/v1/webhooks', webhook(), key()),
    () => oauth.refresh('unknown'),
    () => person.get('/profile'),
  ];
  const answers: Promise<number>[] = [];
  const send = () => answers.push(...requests.map((request) => request().then(({ status }) => status)));
  const sending = setInterval(send, 100);
  await freezeDatabase({ sql: oauth.desk.sql, server }, FROZEN_MS);
  await delay(500);
  clearInterval(sending);
  const statuses = await Promise.all(answers);

  expect(new Set(statuses.filter((status) => status >= 500))).toEqual(new Set([503]));
  expect((await client.get('/v1/tickets')).status).toBe(200);
});
