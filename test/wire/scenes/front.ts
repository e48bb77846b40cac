import type { Desk } from '../desk.js';

const HTML = { accept: 'text/html' };
const ASSETS = ['console.css', 'console.js', 'keyboard.js', 'live.js', 'htmx.js', 'icon.svg'];

/** What anybody gets: documents, health, assets, and the errors of addresses that nobody has. */
export async function front(desk: Desk): Promise<void> {
  const ask = (line: string, headers: Record<string, string> = {}, about?: string) =>
    desk.ask(line, { headers, ...(about && { about }) });
  for (const path of ['/healthz', '/readyz', '/openapi.json', '/.well-known/oauth-authorization-server']) {
    await ask(`GET ${path}`);
    await ask(`HEAD ${path}`);
    await ask(`OPTIONS ${path}`);
    await ask(`POST ${path}`);
    await ask(`GET ${path}/`);
  }
  await ask('GET /healthz', { accept: 'text/html' });
  await desk.ask('GET /healthz', { about: 'kept open', keepAlive: true });
  const docs = await ask('GET /docs');
  await ask('GET /docs', { 'accept-encoding': 'gzip' });
  await ask('HEAD /docs');
  await ask('HEAD /metrics');
  await assets(desk, docs.text);
  await nowhere(desk);
  await crossOrigin(desk);
  await requestIds(desk);
}

async function assets(desk: Desk, page: string): Promise<void> {
  const version = /\/assets\/([\da-f]+)\/console\.css/.exec(page)?.[1] ?? 'none';
  for (const name of ASSETS) {
    await desk.ask(`GET /assets/${version}/${name}`);
    await desk.ask(`GET /assets/${version}/${name}`, { headers: { 'accept-encoding': 'gzip, br' } });
    await desk.ask(`HEAD /assets/${version}/${name}`);
  }
  await desk.ask('GET /assets/old/console.css', { about: 'another version' });
  for (const name of ['none.css', '..%2Fassets.js', 'constructor']) await desk.ask(`GET /assets/old/${name}`);
  await desk.ask('GET /assets/old/none.css', { headers: HTML });
}

async function nowhere(desk: Desk): Promise<void> {
  const paths = [
    '/nothing',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/oauth/nothing',
    '/favicon.ico',
    '/robots.txt',
    '/%zz',
    '/v1/%zz',
  ];
  for (const path of [...paths, '/oauth/authorize/x', '/settings', '/settings/nothing', '/v1/tickets/1/nothing']) {
    await desk.ask(`GET ${path}`);
    await desk.ask(`GET ${path}`, { headers: HTML });
    await desk.ask(`POST ${path}`, { json: {} });
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'HEAD']) {
    await desk.ask(`${method} /v1/tickets`);
    await desk.ask(`${method} /oauth/token`);
    await desk.ask(`${method} /inbox`, { headers: HTML });
    await desk.ask(`${method} /nothing`);
  }
  await desk.ask(`GET /v1/agents/${'a'.repeat(600)}`, { about: 'a long name' });
  await desk.ask(`GET /settings/agents/${'a'.repeat(600)}`, { headers: HTML });
}

async function crossOrigin(desk: Desk): Promise<void> {
  const origin = 'https://elsewhere.example';
  for (const path of [
    '/v1/tickets',
    '/v1/nothing',
    '/downloads/x',
    '/openapi.json',
    '/oauth/token',
    '/inbox',
    '/docs',
  ]) {
    const asked = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' };
    await desk.ask(`OPTIONS ${path}`, { headers: asked });
    await desk.ask(`OPTIONS ${path}`, { headers: { origin } });
    await desk.ask(`GET ${path}`, { headers: { origin } });
  }
}

async function requestIds(desk: Desk): Promise<void> {
  for (const id of ['my-own.id:1', 'with space', 'x'.repeat(128), 'x'.repeat(129), '<script>']) {
    await desk.ask('GET /v1/nothing', { headers: { 'x-request-id': id } });
    await desk.ask('GET /healthz', { headers: { 'x-request-id': id } });
  }
}
