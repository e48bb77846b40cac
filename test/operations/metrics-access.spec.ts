import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';

const TOKEN = 'a-token-for-prometheus';

describe.each([
  ['without METRICS_TOKEN', {}],
  ['with METRICS_TOKEN', { METRICS_TOKEN: TOKEN }],
])('/metrics %s', (_name, settings) => {
  let desk: Desk;
  const bases: string[] = [];
  beforeAll(async () => {
    desk = await startDesk({ settings });
    const worker = `http://127.0.0.1:${await freePort()}`;
    await desk.worker({ WORKER_PORT: new URL(worker).port });
    await ready(worker);
    bases.push(desk.base, worker);
  });
  afterAll(() => desk.stop());

  const statuses = (headers: Readonly<Record<string, string>>) =>
    Promise.all(bases.map(async (base) => (await fetch(`${base}/metrics`, { headers })).status));

  it('answers an authorized caller, in the API and in the worker', async () => {
    expect(await statuses({ authorization: `Bearer ${TOKEN}` })).toEqual([200, 200]);
    expect(await statuses({})).toEqual('METRICS_TOKEN' in settings ? [401, 401] : [200, 200]);
  });

  it('refuses all other callers behind a proxy', async () => {
    const forwarded = { 'x-forwarded-for': '203.0.113.9' };

    expect(await statuses(forwarded)).toEqual('METRICS_TOKEN' in settings ? [401, 401] : [404, 404]);
    expect(await statuses({ ...forwarded, authorization: 'Bearer something-else-entirely' })).toEqual(
      'METRICS_TOKEN' in settings ? [401, 401] : [404, 404],
    );
  });
});

describe('/metrics of an API behind a proxy', () => {
  it.each([
    ['PUBLIC_URL is https', { PUBLIC_URL: 'https://desk.example.com' }],
    ['TRUSTED_PROXIES is set', { TRUSTED_PROXIES: '127.0.0.1/32' }],
  ])('returns 404 without a token when %s, even to a proxy that sets no header', async (_name, settings) => {
    const desk = await startDesk({ settings });
    onTestFinished(() => desk.stop());
    const worker = `http://127.0.0.1:${await freePort()}`;
    await desk.worker({ WORKER_PORT: new URL(worker).port });
    await ready(worker);

    const paths = ['/metrics', '/metrics?', '/%6detrics', '/metrics/', '//metrics'];
    const answers = await Promise.all(paths.map((path) => fetch(`${desk.base}${path}`)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await fetch(`${worker}/metrics`)).status).toBe(200);
  });
});
