import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The subset of curl that the documentation uses, for machines without curl. */
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean' },
    'show-error': { type: 'boolean' },
    fail: { type: 'boolean' },
    location: { type: 'boolean' },
    cookie: { type: 'string' },
    'cookie-jar': { type: 'string' },
    output: { type: 'string' },
    'write-out': { type: 'string' },
    user: { type: 'string' },
    request: { type: 'string' },
    header: { type: 'string', multiple: true },
    data: { type: 'string', multiple: true },
    'data-urlencode': { type: 'string', multiple: true },
  },
});

const cookies = new Map(options.cookie ? readJar(options.cookie) : []);
let answer = await send(positionals[0] ?? '', form());
for (let next = target(); options.location && next; next = target()) answer = await send(next);
if (options['cookie-jar']) writeFileSync(options['cookie-jar'], JSON.stringify([...cookies]));
if (!options.output) process.stdout.write(await answer.text());
if (options['write-out']) process.stdout.write(options['write-out'].replace('%{redirect_url}', target() ?? ''));
if (options.fail && answer.status >= 400) process.exitCode = 22;

function readJar(file: string): [string, string][] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text ? (JSON.parse(text) as [string, string][]) : [];
}

function form(): string | undefined {
  const encoded = options['data-urlencode']?.map((pair) => {
    const cut = pair.indexOf('=') + 1;
    return pair.slice(0, cut) + encodeURIComponent(pair.slice(cut));
  });
  const parts = [...(options.data ?? []), ...(encoded ?? [])];
  return parts.length > 0 ? parts.join('&') : undefined;
}

async function send(address: string, body?: string): Promise<Response> {
  const headers = new Headers(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' });
  for (const line of options.header ?? []) headers.set(line.split(':')[0] ?? '', line.replace(/^[^:]+: */, ''));
  if (options.user) headers.set('authorization', `Basic ${Buffer.from(options.user).toString('base64')}`);
  if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
  const got = await fetch(address, {
    headers,
    redirect: 'manual',
    ...(body !== undefined && { method: options.request ?? 'POST', body }),
  });
  for (const line of got.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  return got;
}

function target(): string | undefined {
  const location = answer.headers.get('location');
  return location === null ? undefined : new URL(location, answer.url).href;
}
