import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { RawConnection } from '#test/support/raw-connection.js';

const MOST = 3;
const OFFICE = '203.0.113.7';

let desk: Desk;
const opened: RawConnection[] = [];
beforeAll(async () => {
  desk = await startDesk({
    settings: {
      OPEN_REQUESTS_PER_ADDRESS: `${MOST}`,
      CONNECTIONS_PER_ADDRESS: '5',
      TRUSTED_PROXIES: '127.0.0.0/8',
      // Long enough that only the test ends connections.
      BODY_TIMEOUT_MS: '60000',
    },
  });
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
    'host: localhost',
    'content-type: application/json',
    'content-length: 100',
    `x-forwarded-for: ${address}`,
    '',
    '{"bo',
  );

const ask = (address: string): Promise<Response> =>
  fetch(`${desk.base}/healthz`, { headers: { 'x-forwarded-for': address } });

/** Opens one request per address, and waits until the next one is refused. */
async function fill(addresses: readonly string[]): Promise<RawConnection[]> {
  const connections = addresses.map(half);
  await eventually(async () => (await ask(addresses[0]!)).status === 429);
  return connections;
}

const repeated = (address: string): string[] => Array.from({ length: MOST }, () => address);

const allPass = async (): Promise<boolean> =>
  (await Promise.all(repeated(OFFICE).map(ask))).every(({ status }) => status === 200);

describe('the limit of open requests per address', () => {
  it('refuses the next request with 429 and Retry-After', async () => {
    await fill(repeated(OFFICE));
    const refused = await ask(OFFICE);

    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('connection')).toBe('close');
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(await refused.json()).toMatchObject({ status: 429, error: 'too_many_open_requests' });
  });

  it('does not affect other addresses or this machine', async () => {
    await fill(repeated(OFFICE));

    expect((await ask('203.0.113.8')).status).toBe(200);
    expect((await fetch(`${desk.base}/healthz`)).status).toBe(200);
  });

  it('counts IPv6 addresses by their /64', async () => {
    await fill(['2001:db8:1:2::1', '2001:db8:1:2::2', '2001:db8:1:2:ffff::3']);

    expect((await ask('2001:db8:1:2::4')).status).toBe(429);
    expect((await ask('2001:db8:1:3::1')).status).toBe(200);
  });

  it('counts by the /48 of IPv6 too, with ten times the limit', async () => {
    const addresses = Array.from({ length: 10 * MOST }, (_, n) => `2001:db8:7:${n.toString(16)}::1`);
    addresses.map(half);
    await eventually(async () => (await ask('2001:db8:7:ffff::1')).status === 429);

    expect((await ask('2001:db8:8::1')).status).toBe(200);
  });

  it('frees the place of a request however it ends', async () => {
    const [first] = await fill(repeated(OFFICE));
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
    const lines = [
      'POST /sign-in HTTP/1.1',
      'host: localhost',
      JSON_TYPE,
      `content-length: ${1024 * 1024}`,
      '',
      almost,
    ];
    const connections = Array.from({ length: 80 }, () => keep(new RawConnection(desk.base)).send(...lines));
    await eventually(() => connections.filter(({ answer }) => answer !== '').length >= 80 - 64);

    const refused = connections.find(({ answer }) => answer !== '');
    expect(await refused!.ended).toMatch(/^HTTP\/1.1 503 [^]*"error":"overloaded"/);
    expect(connections.filter(({ answer }) => answer === '').length).toBeGreaterThan(50);
    expect((await desk.client().post('/v1/groups', { name: 'Second line' })).status).toBe(201);
  });
});

const JSON_TYPE = 'content-type: application/json';
