// @module-tag long
import { afterEach, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { ApiClient } from '#test/support/api-client.js';
import { RawConnection } from '#test/support/raw-connection.js';

let desk: Desk | undefined;

afterEach(() => desk?.stop());

it('finishes its requests, accepts no more, and exits at once with code 0 when an API is stopped', async () => {
  desk = await startDesk();
  const api = await desk.apiProcess({ SHUTDOWN_GRACE_MS: '60000' });
  const client = new ApiClient(api.base, desk.account.owner.token);
  expect((await client.get('/v1/tickets')).status).toBe(200);

  await desk.sql.query('begin; lock table tickets');
  const begun = client.post('/v1/tickets', { body: 'Hello', from: 'ann@example.com', to: 'support@acme.test' });
  await waitsForLock(desk);
  const stopped = api.stop();
  await eventually(() =>
    fetch(`${api.base}/healthz`).then(
      ({ status }) => status === 503,
      () => true,
    ),
  );
  await desk.sql.query('commit');

  expect((await begun).status).toBe(201);
  expect(await stopped).toBe(0);
});

it('does not wait for a client without a request when an API is stopped', async () => {
  desk = await startDesk();
  const api = await desk.apiProcess({ SHUTDOWN_GRACE_MS: '60000', HEADERS_TIMEOUT_MS: '60000' });
  const silent = new RawConnection(api.base);
  const halfAsked = new RawConnection(api.base).send('GET /healthz HTTP/1.1', 'host: ');
  expect(await new RawConnection(api.base).send('nothing that is HTTP', '', '').ended).toContain(' 400 ');
  const stopped = api.stop();

  expect(await Promise.all([silent.ended, halfAsked.ended])).toEqual(['', '']);
  expect(await stopped).toBe(0);
});

async function waitsForLock({ sql }: Desk): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await sql.query("select 1 from pg_locks where not granted and locktype = 'relation'");
    return (rowCount ?? 0) > 0;
  });
}
