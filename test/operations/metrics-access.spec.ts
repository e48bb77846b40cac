import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { startDesk } from '#test/support/desk.js';

const TOKEN = 'a-token-for-prometheus';

/** A desk with a worker, and the addresses of both. */
async function startBoth(settings: Readonly<Record<string, string>>): Promise<[api: string, worker: string]> {
  const desk = await startDesk({ settings });
  onTestFinished(() => desk.stop());
  const worker = `http://127.0.0.1:${await freePort()}`;
  await desk.worker({ WORKER_PORT: new URL(worker).port });
  await ready(worker);
  return [desk.base, worker];
}

const statusesOf = (urls: readonly string[], headers: Readonly<Record<string, string>> = {}) =>
  Promise.all(urls.map(async (url) => (await fetch(url, { headers })).status));

describe('/metrics of an API and its worker', () => {
  it.each([
    ['without METRICS_TOKEN', {}, { open: 200, forwarded: 404 }],
    ['with METRICS_TOKEN', { METRICS_TOKEN: TOKEN }, { open: 401, forwarded: 401 }],
  ])('answers an authorized caller only, %s', async (_name, settings, { open, forwarded }) => {
    const urls = (await startBoth(settings)).map((base) => `${base}/metrics`);
    const proxy = { 'x-forwarded-for': '203.0.113.9' };

    expect(await statusesOf(urls, { authorization: `Bearer ${TOKEN}` })).toEqual([200, 200]);
    expect(await statusesOf(urls)).toEqual([open, open]);
    expect(await statusesOf(urls, proxy)).toEqual([forwarded, forwarded]);
    expect(await statusesOf(urls, { ...proxy, authorization: 'Bearer another' })).toEqual([forwarded, forwarded]);
  });

  it.each([
    ['PUBLIC_URL is https', { PUBLIC_URL: 'https://desk.example.com' }],
    ['TRUSTED_PROXIES is set', { TRUSTED_PROXIES: '127.0.0.1/32' }],
  ])('returns 404 in the API without a token when %s, even to a proxy that sets no header', async (_name, settings) => {
    const [api, worker] = await startBoth(settings);
    const paths = ['/metrics', '/metrics?', '/%6detrics', '/metrics/', '//metrics'];

    expect(await statusesOf(paths.map((path) => `${api}${path}`))).toEqual([404, 404, 404, 404, 404]);
    expect(await statusesOf([`${worker}/metrics`])).toEqual([200]);
  });
});
