import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { RawConnection } from '#test/support/raw-connection.js';

const MOST = 3;
const OFFICE = '203.0.113.7';
const FORM = ['host: localhost', 'content-type: application/json'];

const opened: RawConnection[] = [];
const desk = await startDesk({
  settings: {
    OPEN_REQUESTS_PER_ADDRESS: `${MOST}`,
    CONNECTIONS_PER_ADDRESS: '5',
    TRUSTED_PROXIES: '127.0.0.0/8',
    // Long enough that only the test ends connections.
    BODY_TIMEOUT_MS: '60000',
  },
});
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});
afterAll(() => desk.stop());

const keep = (connection: RawConnection): RawConnection => {
  opened.push(connection);
  return connection;
};

/** Sends half of a request from an address behind the proxy. It stays open or is refused. */
const half = (address: string): RawConnection =>
  keep(new RawConnection(desk.base)).send(
    'POST /v1/tickets HTTP/1.1',
    ...FORM,
    'content-length: 100',
    `x-forwarded-for: ${address}`,
    '',
    '{"bo',
  );

const ask = (address: string): Promise<Response> =>
  fetch(`${desk.base}/healthz`, { headers: { 'x-forwarded-for': address } });

/** Opens as many requests as one address may have, and waits until the next one is refused. */
async function fill(): Promise<RawConnection[]> {
  const connections = Array.from({ length: MOST }, () => half(OFFICE));
  await eventually(async () => (await ask(OFFICE)).status === 429);
  return connections;
}

const allPass = async (): Promise<boolean> =>
  (await Promise.all(Array.from({ length: MOST }, () => ask(OFFICE)))).every(({ status }) => status === 200);

describe('the limit of open requests per address', () => {
  it('refuses the next request with 429 and Retry-After', async () => {
    await fill();
    const refused = await ask(OFFICE);

    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('connection')).toBe('close');
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 429, error: 'too_many_open_requests' });
  });

  it('lets a page of another site read the refusal', async () => {
    await fill();
    const headers = { 'x-forwarded-for': OFFICE, origin: 'https://app.example' };
    const refused = await fetch(`${desk.base}/oauth/token`, { method: 'POST', headers });

    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
  });

  it('does not affect other addresses or this machine', async () => {
    await fill();

    expect((await ask('203.0.113.8')).status).toBe(200);
    expect((await fetch(`${desk.base}/healthz`)).status).toBe(200);
  });

  it('frees the place of a request however it ends', async () => {
    const [first] = await fill();
    first!.close();
    await eventually(async () => (await ask(OFFICE)).status === 200);
    for (const connection of opened.splice(0)) connection.close();

    expect(await eventually(allPass)).toBe(true);
  });

  it('counts exactly when many requests arrive at once', async () => {
    const connections = Array.from({ length: 20 }, () => half(OFFICE));
    await eventually(() => connections.filter(({ answer }) => answer.includes('429')).length === 20 - MOST);

    expect((await ask(OFFICE)).status).toBe(429);
    expect(connections.filter(({ answer }) => answer === '')).toHaveLength(MOST);
  });

  it('frees the places of pipelined requests when their connection closes', async () => {
    await desk.sql.query('begin; lock table tokens');
    const lines = ['GET /v1/tickets HTTP/1.1', 'host: localhost', `x-forwarded-for: ${OFFICE}`];
    const one = [...lines, `authorization: Bearer ${desk.account.owner.token}`, '', ''].join('\r\n');
    const connection = keep(new RawConnection(desk.base)).send(one.repeat(MOST));
    await eventually(async () => (await ask(OFFICE)).status === 429);
    connection.close();
    await eventually(async () => (await ask(OFFICE)).status === 200);
    await desk.sql.query('commit');

    expect(await eventually(allPass)).toBe(true);
  });
});

describe('the limit of bodies that are arriving', () => {
  it('bounds their memory: refuses the slowest bodies and accepts new ones', async () => {
    const almost = 'a'.repeat(1024 * 1024 - 100);
    const lines = ['POST /sign-in HTTP/1.1', ...FORM, `content-length: ${1024 * 1024}`, '', almost];
    const connections = Array.from({ length: 80 }, () => keep(new RawConnection(desk.base)).send(...lines));
    await eventually(() => connections.filter(({ answer }) => answer !== '').length >= 80 - 64);

    const refused = connections.find(({ answer }) => answer !== '');
    expect(await refused!.ended).toMatch(/^HTTP\/1.1 503 [^]*"error":"overloaded"/);
    expect(connections.filter(({ answer }) => answer === '').length).toBeGreaterThan(50);
    expect((await desk.client().post('/v1/groups', { name: 'Second line' })).status).toBe(201);
  });
});
