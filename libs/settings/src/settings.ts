import { isIP } from 'node:net';
import {
  type Environment,
  type Setting,
  integer,
  list,
  oneOf,
  optionalUrl,
  requiredUrl,
  text,
  url,
  yesNo,
} from './setting.js';
import { storageLocation } from './storage-location.js';

const inProduction = (environment: Environment): boolean => environment['NODE_ENV'] === 'production';

/**
 * Every setting, in the order of the documentation. The type of the settings derives from this record, and
 * `npm run docs` writes `.env.example` and the table in docs/configuration.md from it.
 */
export const SETTINGS = {
  NODE_ENV: oneOf({
    values: ['development', 'production', 'test'],
    fallback: 'development',
    doc: 'Stricter defaults in `production`.',
  }),
  DATABASE_URL: requiredUrl({
    schemes: ['postgres', 'postgresql'],
    doc: 'PostgreSQL. `npm start` brings its own when this is unset. May go through PgBouncer in transaction mode.',
  }),
  DATABASE_DIRECT_URL: optionalUrl({
    schemes: ['postgres', 'postgresql'],
    fallback: (environment) => environment['DATABASE_URL'],
    shown: '(DATABASE_URL)',
    doc: 'The same database past the pooler, where DATABASE_URL goes through one. Workers use it for everything, the API to hear of changes.',
  }),
  DATABASE_POOL_SIZE: integer({ min: 2, max: 500, fallback: 20, doc: 'Connections each process may hold.' }),
  REDIS_URL: optionalUrl({
    schemes: ['redis', 'rediss'],
    fallback: undefined,
    doc: 'Redis for the queue and rate limits. Without it the queue runs on PostgreSQL.',
  }),
  QUEUE_PREFIX: text({
    fallback: 'deskwire',
    doc: 'Name that sets the queue of this installation apart in a shared Redis.',
  }),
  PORT: integer({ min: 0, max: 65535, fallback: 3000, doc: 'Port of the API and console.' }),
  HOST: text({ fallback: '127.0.0.1', doc: 'Address the API listens on; `0.0.0.0` opens it to the network.' }),
  PUBLIC_URL: url({
    schemes: ['http', 'https'],
    fallback: (environment) => `http://localhost:${environment['PORT'] || 3000}`,
    shown: '(http://localhost:PORT)',
    doc: 'How clients reach the API; every link in every answer and payload starts with it.',
  }),
  TRUSTED_PROXIES: list(
    {
      fallback: [],
      doc: 'Networks (CIDR) of reverse proxies whose `X-Forwarded-For` names the caller; sign-in limits count by that address.',
    },
    network,
  ),
  WORKER_PORT: integer({
    min: 0,
    max: 65535,
    fallback: 0,
    doc: 'Port of the worker’s health and metrics; 0 lets the system choose.',
  }),
  WORKER_CONCURRENCY: integer({
    min: 1,
    max: 5000,
    fallback: 400,
    doc: 'Deliveries one worker process has in flight at most.',
  }),
  SECRETS_KEY: list(
    {
      fallback: (environment) => {
        if (inProduction(environment)) throw new Error('must be set in production');
        return [{ id: 'development', key: Buffer.alloc(32, 'deskwire development only') }];
      },
      doc: 'Seal webhook secrets and sign downloads: `id:base64 of 32 bytes`, newest first; older ones still open what they sealed.',
    },
    sealingKey,
  ),
  LOG_LEVEL: oneOf({
    values: ['debug', 'info', 'warn', 'error', 'silent'],
    fallback: 'info',
    doc: 'How much is logged.',
  }),
  SHUTDOWN_GRACE_MS: integer({
    min: 0,
    max: 600_000,
    fallback: 20_000,
    doc: 'How long a process may take to finish after SIGTERM.',
  }),
  WEBHOOK_TIMEOUT_MS: integer({
    min: 100,
    max: 120_000,
    fallback: 15_000,
    doc: 'Deadline of one attempt, connect to last byte.',
  }),
  WEBHOOK_RETRY_SCHEDULE: list(
    {
      fallback: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
      doc: 'Seconds to wait after each failed attempt; one more attempt than entries.',
    },
    seconds,
  ),
  WEBHOOK_REQUIRE_HTTPS: yesNo({
    fallback: inProduction,
    shown: '(true in production)',
    doc: 'Refuse http:// receivers.',
  }),
  WEBHOOK_ALLOWED_NETWORKS: list(
    {
      fallback: [],
      doc: 'Networks (CIDR) receivers may be in although they are not public, for development.',
    },
    network,
  ),
  WEBHOOKS_PER_ACCOUNT: integer({
    min: 1,
    max: 1_000_000,
    fallback: 1000,
    doc: 'Webhooks that an account may have at most.',
  }),
  WEBHOOK_PROXY_URL: optionalUrl({
    schemes: ['http', 'https'],
    fallback: undefined,
    doc: 'Forward proxy for deliveries; the proxy then decides on addresses.',
  }),
  EVENT_HEADER_ALIASES: list({ fallback: [], doc: 'More header names that carry the event kind.' }, headerName),
  RETENTION_DAYS: integer({
    min: 1,
    max: 3650,
    fallback: 30,
    doc: 'How long events, deliveries and attempts are kept.',
  }),
  RATE_LIMIT_PER_MINUTE: integer({
    min: 1,
    max: 1_000_000,
    fallback: 600,
    doc: 'Requests a token may make each minute.',
  }),
  ALLOW_QUERY_TOKENS: yesNo({ fallback: false, doc: 'Accept `?access_token=` besides the Authorization header.' }),
  SMTP_URL: optionalUrl({
    schemes: ['smtp', 'smtps'],
    fallback: undefined,
    doc: 'Mail server; without it, links are shown by the command line.',
  }),
  MAIL_FROM: text({ fallback: 'Deskwire <deskwire@localhost>', doc: 'Sender of the mail.' }),
  STORAGE_URL: storageLocation(
    'Where attachments are kept: a folder, or `s3://key:secret@host/bucket?region=…`. Unset: `attachments` in DATA_DIR.',
  ),
  DATA_DIR: text({ fallback: '.data', doc: 'Where `npm start` keeps everything between runs.' }),
} satisfies Record<string, Setting<unknown>>;

export type Settings = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> };

export interface SealingKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Names every wrong setting at once, so that one restart is enough. It never shows a value. */
export class InvalidSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`These settings are wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\nSee docs/configuration.md.`);
  }
}

export function readSettings(environment: Environment = process.env): Settings {
  const faults: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    try {
      const value = environment[name];
      return [name, value === undefined || value === '' ? setting.fallback(environment) : setting.read(value)];
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return [name, undefined];
    }
  });
  if (faults.length > 0) throw new InvalidSettings(faults);
  return Object.freeze(Object.fromEntries(entries)) as Settings;
}

function sealingKey(part: string): SealingKey {
  const [, id, encoded] = /^([\w-]{1,32}):(.+)$/.exec(part) ?? [];
  const key = Buffer.from(encoded ?? '', 'base64');
  if (!id || key.length !== 32) throw new Error('must be a list of id:base64 with 32 bytes each');
  return { id, key };
}

function seconds(part: string): number {
  const value = Number(part);
  if (!(value >= 0 && value <= 30 * 86_400)) throw new Error('must be a list of seconds, each from 0 to 2592000');
  return value;
}

function network(part: string): string {
  const [address = '', bits] = part.split('/');
  const family = isIP(address);
  const most = family === 4 ? 32 : 128;
  if (family === 0 || bits === undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    throw new Error('must be a list of networks such as 10.0.0.0/8 or fd00::/8');
  return part;
}

/** Headers that HTTP or a delivery already uses. An alias of the same name would break every delivery. */
const TAKEN_HEADERS =
  /^(host|connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-.*|user-agent|webhook-.*|proxy-.*)$/;

function headerName(part: string): string {
  const name = part.toLowerCase();
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(name)) throw new Error('must be a list of header names');
  if (TAKEN_HEADERS.test(name)) throw new Error('must not contain a header that deliveries or HTTP itself already use');
  return name;
}
