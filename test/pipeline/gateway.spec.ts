import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, createServer } from 'node:http';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { baseUrlOf } from '#test/support/api-client.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const KEY = `test:${randomBytes(32).toString('base64')}`;
const NEWER = `newer:${randomBytes(32).toString('base64')}`;
const desk: Desk = await startDesk({ settings: { SECRETS_KEY: KEY, WEBHOOK_RETRY_SCHEDULE: '0.5,0.5,0.5' } });
const TOKEN = 'token-of-the-gateway';
const API_KEY = 'key "of" the gateway';
const CREDENTIALS = { headers: { 'X-Api-Key': API_KEY }, authentication: { type: 'bearer', token: TOKEN } };

/** Accepts requests with the token and the key, and answers all with what it got. */
const seen: IncomingHttpHeaders[] = [];
let refusals = 0;
const gateway = createServer((request, response) => {
  const { headers } = request;
  seen.push(headers);
  const isAllowed = headers.authorization === `Bearer ${TOKEN}` && headers['x-api-key'] === API_KEY && refusals-- <= 0;
  request.resume().on('end', () => response.writeHead(isAllowed ? 204 : 401).end(JSON.stringify(headers)));
  response.on('error', () => undefined);
});
gateway.listen(0, '127.0.0.1');
await once(gateway, 'listening');
beforeEach(() => {
  seen.length = 0;
  refusals = 0;
});
afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await desk.stop();
});

const register = async (path: string, fields: object) => {
  const url = `${baseUrlOf(gateway)}/${path}`;
  return (await desk.client().post('/v1/webhooks', { event: 'ticket_started', url, ...fields })).body.webhook;
};

const ended = (id: string) =>
  eventually(
    async () => {
      const [delivery] = (await desk.client().get(`/v1/webhooks/${id}/deliveries`)).body.deliveries;
      return delivery && delivery.state !== 'pending' && (await desk.client().get(`/v1/deliveries/${delivery.id}`));
    },
    { withinMs: 20_000 },
  );

const remove = (id: string) => desk.client().delete(`/v1/webhooks/${id}`);

describe('a gateway that requires a bearer token and a static header', () => {
  it('gets both at the first attempt and at retries, and no record shows them', async () => {
    const worker = await desk.worker();
    refusals = 1;
    const { id } = await register('both', CREDENTIALS);
    await startTicket(desk);
    const { body, text } = await ended(id);
    const page = await desk.sql.query(
      'select row_to_json(d)::text || row_to_json(a)::text as all from deliveries d, attempts a',
    );

    expect(body.delivery.state).toBe('delivered');
    const pairs = seen.map((headers) => `${headers.authorization} ${headers['x-api-key'] as string}`);
    expect(pairs).toEqual(Array(2).fill(`Bearer ${TOKEN} ${API_KEY}`));
    const records = text + JSON.stringify(page.rows) + worker.output();
    expect(records).toContain('[hidden]');
    expect(records).not.toContain(TOKEN);
    expect(records).not.toMatch(/key \\*"of/);
    await remove(id);
    await worker.stop();
  });

  it('refuses deliveries after the headers were removed', async () => {
    const worker = await desk.worker();
    const { id } = await register('removed', CREDENTIALS);
    await desk.client().patch(`/v1/webhooks/${id}`, { headers: null });
    await startTicket(desk);
    const { body } = await ended(id);

    expect(body.delivery.state).toBe('exhausted');
    expect(seen[0]).not.toHaveProperty('x-api-key');
    await remove(id);
    await worker.stop();
  });

  it('gets them from a worker with a newer key, and nothing from one that cannot open them', async () => {
    const { id } = await register('keys', CREDENTIALS);
    const { rows } = await desk.sql.query('select s.* from webhook_secrets s where webhook_id = $1 and not signs', [
      id,
    ]);
    await desk.sql.query("update webhook_secrets set key_id = 'lost' where id = $1", [rows[0].id]);
    const blind = await desk.worker({ SECRETS_KEY: `${NEWER},${KEY}` });
    await startTicket(desk);
    const isPostponed = async () =>
      (await desk.sql.query("select from owed_deliveries where due_at > now() + interval '30 seconds'")).rowCount;
    await eventually(isPostponed, { withinMs: 20_000 });
    await blind.stop();
    expect(seen).toEqual([]);

    await desk.sql.query('update webhook_secrets set key_id = $2 where id = $1', [rows[0].id, rows[0].key_id]);
    await desk.sql.query('update owed_deliveries set due_at = now()');
    const worker = await desk.worker({ SECRETS_KEY: `${NEWER},${KEY}` });
    expect((await ended(id)).body.delivery.state).toBe('delivered');
    await remove(id);
    await worker.stop();
  });
});
