import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent, seedToken } from '#test/support/seed.js';

const desk = await startDesk({ queue: 'redis' });
afterAll(() => desk.stop());

const ticket = (body = 'Hello') => ({ body, from: 'ana@client.test', to: desk.account.mailbox.email });
const count = async () => Number((await desk.sql.query('select count(*) from tickets')).rows[0].count);

const create = (key: string, body?: string) =>
  desk.client().post('/v1/tickets', ticket(body), { 'idempotency-key': key });

describe('the Idempotency-Key header', () => {
  it('repeats the first response without acting again', async () => {
    const first = await create('once');
    const before = await count();
    const second = await create('once');

    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await count()).toBe(before);
  });

  it('returns 422 for the same key with another body', async () => {
    await create('other', 'one');
    const { status, body } = await create('other', 'two');

    expect([status, body.error]).toEqual([422, 'idempotency_key_reused']);
  });

  it('stores no secret of a response in plain text', async () => {
    const wanted = { event: 'ticket_started', url: 'https://example.com/hook' };
    const first = await desk.client().post('/v1/webhooks', wanted, { 'idempotency-key': 'hook' });
    const second = await desk.client().post('/v1/webhooks', wanted, { 'idempotency-key': 'hook' });
    const { rows } = await desk.sql.query('select body from idempotency_keys where key = $1', ['hook']);

    expect(second.body).toEqual(first.body);
    expect(first.body.webhook.secret).toMatch(/^whsec_/);
    expect(rows[0].body).not.toContain('whsec_');
  });

  it('lets one of fifty simultaneous requests act', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('race')));

    expect(await count()).toBe(before + 1);
    expect([201, 409]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    expect(new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.ticket.number] : []))).size).toBe(1);
  });

  it('allows a retry after a refused request', async () => {
    const refused = await desk.client().post('/v1/tickets', {}, { 'idempotency-key': 'mended' });
    const mended = await create('mended');

    expect([refused.status, mended.status]).toEqual([422, 201]);
  });

  it('is kept for four days', async () => {
    const first = await create('daily');
    desk.clock.advance({ days: 3, hours: 23 });
    expect((await create('daily')).body).toEqual(first.body);
    desk.clock.advance({ hours: 1, seconds: 1 });
    const second = await create('daily');

    expect(second.body.ticket.number).toBeGreaterThan(first.body.ticket.number);
  });
});

describe('a single record', () => {
  it('returns 304 when the client has the same version', async () => {
    const { body } = await desk.client().post('/v1/tickets', ticket());
    const path = `/v1/tickets/${body.ticket.number}`;
    const first = await desk.client().get(path);
    const again = await desk.client().get(path, { 'if-none-match': first.headers.get('etag') ?? '' });

    expect([again.status, again.text]).toEqual([304, '']);
    expect((await desk.client().get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('returns 304 to HEAD as well', async () => {
    const path = '/v1/tickets/count';
    const first = await desk.client().send('HEAD', path);
    const again = await desk.client().send('HEAD', path, undefined, { 'if-none-match': first.headers.get('etag')! });

    expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });
});

describe('every response', () => {
  it('carries the request’s id, or the client’s own id', async () => {
    const own = await desk.client().get('/v1/tickets/1', { 'x-request-id': 'from-me-1' });
    const ours = await desk.client().get('/v1/tickets/9999');

    expect(own.headers.get('x-request-id')).toBe('from-me-1');
    expect(ours.headers.get('x-request-id')).toBe(ours.body.request_id);
    expect((await desk.client().get('/v1/tickets/1', { 'x-request-id': 'a b' })).headers.get('x-request-id')).not.toBe(
      'a b',
    );
  });

  it('shows how many requests the token has left', async () => {
    const { headers } = await desk.client().get('/v1/tickets/1');

    expect(headers.get('ratelimit-policy')).toBe('"default";q=100000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  });
});

describe('the paths and methods of the API', () => {
  it('return 405 for a wrong method and 404 for a wrong path', async () => {
    const method = await desk.client().put('/v1/tickets', {});
    const address = await desk.client().get('/v1/tikets');

    expect([method.status, method.body.error, method.headers.get('allow')]).toEqual([
      405,
      'method_not_allowed',
      expect.stringContaining('POST'),
    ]);
    expect([address.status, address.body.error]).toEqual([404, 'route_not_found']);
  });

  it('prefer a literal path to one with a parameter', async () => {
    const answers = [
      await desk.client().delete('/v1/tickets/count'),
      await desk.client().patch('/v1/tickets/count', { state: 'nonsense' }),
      await desk.client().get('/v1/tickets/batch'),
    ];

    expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
      [405, 'GET, HEAD'],
      [405, 'GET, HEAD'],
      [405, 'POST'],
    ]);
  });

  it('refuse bodies that are too large or of an unknown type', async () => {
    const large = await desk.client().post('/v1/tickets', ticket('x'.repeat(1_100_000)));
    const unknown = await desk.client().post('/v1/tickets', '<a/>', { 'content-type': 'application/xml' });

    expect([large.status, large.body.error]).toEqual([413, 'body_too_large']);
    expect([unknown.status, unknown.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  it('allow cross-origin calls with a bearer token, and none with a cookie', async () => {
    const preflight = await desk.anonymous().send('OPTIONS', '/v1/tickets', undefined, {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
    });

    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

/** Returns how many requests the token has left. A request passes uncounted when the counter is slow. */
const leftOf = (token: string): Promise<number> =>
  eventually(async () => {
    const { headers } = await desk.client(token).get('/v1/tickets/1');
    return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
  });

describe('the rate limit', () => {
  it('returns 429 with Retry-After, and does not affect other tokens', async () => {
    const strict = await startDesk({ queue: 'redis', settings: { RATE_LIMIT_PER_MINUTE: '5' } });
    const ask = (token?: string) => strict.client(token).get('/v1/tickets/1');
    const first = await Promise.all(Array.from({ length: 5 }, () => ask()));
    // A request passes uncounted when the counter is slow, so that the sixth is not always refused.
    const refused = await eventually(async () => {
      const answer = await ask();
      return answer.status === 429 && answer;
    });
    const other = await ask((await seedAgent(strict.sql, strict.account.id)).token);

    expect(first.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(other.status).toBe(404);
    await strict.stop();
  });

  it('counts all tokens of a person together, each request once, and few requests of an expired token', async () => {
    const { id: accountId } = desk.account;
    const person = await seedAgent(desk.sql, accountId);
    const ended = await seedToken(desk.sql, { accountId, agentId: person.id });
    const leftAfter = async (requests: number): Promise<number> => {
      for (let sent = 0; sent < requests; sent += 1) await desk.client(ended).get('/v1/tickets/1');
      return leftOf(person.token);
    };

    const atFirst = await leftAfter(1);
    const afterTwenty = await leftAfter(20);
    const hash = createHash('sha256').update(ended).digest();
    await desk.sql.query('update tokens set expires_at = now() where hash = $1', [hash]);
    const afterTwentyRefused = await leftAfter(20);

    expect(atFirst - afterTwenty).toBeGreaterThanOrEqual(20);
    expect(atFirst - afterTwenty).toBeLessThan(40);
    expect(afterTwenty - afterTwentyRefused).toBeLessThan(20);
  });

  it('lets requests pass while Redis is unavailable', async () => {
    const lost = await startDesk({ redisUrl: 'redis://127.0.0.1:1', settings: { RATE_LIMIT_PER_MINUTE: '1' } });
    const answers = await Promise.all(Array.from({ length: 3 }, () => lost.client().get('/v1/tickets/1')));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    await lost.stop();
  });
});
