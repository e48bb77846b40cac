import { DEFAULT_DATA_DIR } from './data-dir.js';
import { inProduction } from './exposure.js';
import { sealingKeys } from './sealing-keys.js';
import { Derived, REQUIRED, type Setting, integer, list, oneOf, setting, text, url, yesNo } from './setting.js';
import { storageLocation } from './storage-location.js';
import { headerName, hostAndPort, hostName, metricsToken, network, seconds, singleHostUrls } from './value-rules.js';

const POSTGRES = ['postgres', 'postgresql'];
const REDIS = ['redis', 'rediss'];
const HTTP = ['http', 'https'];
const PORTS = [0, 65_535] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
const DEADLINES = [100, 600_000] as const;

/**
 * Every setting, in the order of the documentation. The type of the settings derives from this record, and
 * `npm run docs` writes `.env.example` and the table in docs/configuration.md from it.
 */
export const SETTINGS = {
  NODE_ENV: oneOf(
    '`development` relaxes rules: SECRETS_KEY is optional, receivers may use http, and links of unsent mail are logged.',
    'production',
    ['production', 'development', 'test'],
  ),
  DATABASE_URL: url(
    'PostgreSQL. With several hosts, separated by commas, the one that takes writes is used. May go through PgBouncer in transaction mode. If it is unset, `npm start` starts a PostgreSQL.',
    REQUIRED,
    POSTGRES,
    singleHostUrls,
  ),
  DATABASE_DIRECT_URL: url(
    'The same database without the pooler, if DATABASE_URL uses one: for migrations, one connection per process for notifications, and the queue if it is in PostgreSQL.',
    new Derived('(DATABASE_URL)', (environment) => environment['DATABASE_URL']),
    POSTGRES,
    singleHostUrls,
  ),
  DATABASE_POOL_SIZE: integer('Maximum connections of each process.', 20, [2, 500]),
  REDIS_URL: url(
    'Redis for the queue and rate limits. Use `rediss://` for TLS; separate nodes of a Cluster by commas. If unset, the queue runs on PostgreSQL.',
    undefined,
    REDIS,
    singleHostUrls,
  ),
  REDIS_SENTINELS: list(
    'Sentinels (host:port) that know the primary. REDIS_URL then only sets the password and `rediss://`.',
    [],
    hostAndPort,
  ),
  REDIS_SENTINEL_NAME: text('Name of the primary in the Sentinels.', 'mymaster'),
  REDIS_SENTINEL_PASSWORD: text('Password of the Sentinels themselves.'),
  REDIS_CLUSTER: yesNo('Whether REDIS_URL names nodes of a Redis Cluster.', false),
  REDIS_CA: text('File with the certificates, as PEM, that verify the servers of `rediss://`. Unset: those of Node.'),
  QUEUE_PREFIX: text('Separates the queue of this installation from others in a shared Redis.', 'deskwire'),
  PORT: integer('Port of the API and console.', 3000, PORTS),
  HOST: text('Address that the API listens on; `0.0.0.0` opens it to the network.', '127.0.0.1'),
  PUBLIC_URL: url(
    'How clients reach the API; every link in responses and payloads starts with it.',
    new Derived('(http://localhost:PORT)', (environment) => `http://localhost:${environment['PORT'] || 3000}`),
    HTTP,
  ),
  TRUSTED_PROXIES: list(
    'Networks (CIDR) of reverse proxies whose `X-Forwarded-For` is trusted. Sign-in limits count by that address.',
    [],
    network,
  ),
  HEADERS_TIMEOUT_MS: integer('How long a client may take to send the headers of a request.', 15_000, DEADLINES),
  BODY_TIMEOUT_MS: integer('How long a client may take to send a body, except for file uploads.', 30_000, DEADLINES),
  STALL_TIMEOUT_MS: integer(
    'An upload or a download is aborted if it moves less than 1,000 bytes a second for this long.',
    30_000,
    DEADLINES,
  ),
  KEEP_ALIVE_TIMEOUT_MS: integer(
    'How long a connection may be idle between requests. Set it higher than that of the proxy in front.',
    72_000,
    DEADLINES,
  ),
  OPEN_REQUESTS_PER_ADDRESS: integer(
    'Maximum open requests per client address (IPv6: per /64; ten times as many per /48). Behind proxies, set TRUSTED_PROXIES.',
    100,
    [1, 1_000_000],
  ),
  CONNECTIONS_PER_ADDRESS: integer(
    'Maximum connections per address (IPv6: per /64; ten times as many per /48). TRUSTED_PROXIES and this machine are not counted.',
    1000,
    [1, 1_000_000],
  ),
  LIVE_STREAMS_PER_AGENT: integer(
    'Open pages of an agent that receive live updates, per API process. Further pages poll every ten seconds.',
    10,
    [1, 10_000],
  ),
  LIVE_STREAMS_PER_ACCOUNT: integer('The same for all agents of an account together.', 200, [1, 100_000]),
  WORKER_PORT: integer('Port of the worker’s health and metrics; 0 lets the system choose.', 0, PORTS),
  WORKER_CONCURRENCY: integer(
    'Deliveries that one worker handles at once. One that takes longer than half a second gives its place to another.',
    400,
    [1, 5000],
  ),
  SECRETS_KEY: sealingKeys(
    'Encrypts webhook secrets, and signs downloads and cookies: `id:base64 of 32 random bytes`, newest first; older keys still decrypt. Not needed in development.',
  ),
  METRICS_TOKEN: setting<string | undefined>(
    'Bearer token for `/metrics` from any address. If unset, `/metrics` is for private networks only, and not available behind a proxy.',
    undefined,
    metricsToken,
  ),
  LOG_LEVEL: oneOf('How much is logged.', 'info', LOG_LEVELS),
  ATTEMPT_LOG_LEVEL: oneOf(
    'Log level of delivery attempts: successful ones are `info`, failed ones `warn`.',
    new Derived('(LOG_LEVEL)', ({ LOG_LEVEL }) => LOG_LEVELS.find((level) => level === LOG_LEVEL) ?? 'info'),
    LOG_LEVELS,
  ),
  ATTEMPT_LOG_ONE_IN: integer(
    'Logs the successful attempts of one event in this many. Failed attempts are always logged.',
    1,
    [1, 1_000_000],
  ),
  DRAIN_MS: integer(
    'How long the API still accepts connections after SIGTERM while `/readyz` reports it as not ready, so that proxies notice.',
    new Derived('(5000 in production, else 0)', (environment) => (inProduction(environment) ? 5000 : 0)),
    [0, 600_000],
  ),
  SHUTDOWN_GRACE_MS: integer(
    'How long a process may take to finish after SIGTERM, or after DRAIN_MS.',
    20_000,
    [0, 600_000],
  ),
  WEBHOOK_TIMEOUT_MS: integer('Time limit of one attempt, from connecting to the last byte.', 15_000, [100, 120_000]),
  WEBHOOK_RETRY_SCHEDULE: list(
    'Seconds to wait after each failed attempt. There is one attempt more than entries.',
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    seconds,
  ),
  WEBHOOK_REQUIRE_HTTPS: yesNo('Refuse http:// receivers.', new Derived('(true in production)', inProduction)),
  WEBHOOK_ALLOWED_NETWORKS: list(
    'Private or local networks (CIDR) in which receivers and metadata documents are allowed.',
    [],
    network,
  ),
  WEBHOOKS_PER_ACCOUNT: integer('How many webhooks an account may have.', 1000, [1, 1_000_000]),
  WEBHOOK_HOST_CONCURRENCY: integer(
    'Deliveries that all workers together may have in flight to one host and port.',
    1000,
    [1, 1_000_000],
  ),
  WEBHOOK_HOST_PER_SECOND: integer(
    'Failed deliveries a second, of all workers together, above which a host and port gets no more. Accepted deliveries do not count.',
    200,
    [1, 1_000_000],
  ),
  WEBHOOK_PROXY_URL: url(
    'Forward proxy for deliveries and metadata documents. The proxy must then check addresses; Deskwire does not.',
    undefined,
    HTTP,
  ),
  EVENT_HEADER_ALIASES: list('Additional names of the header with the event kind.', [], headerName),
  RETENTION_DAYS: integer('How long events, deliveries and attempts are kept.', 30, [1, 3650]),
  RATE_LIMIT_PER_MINUTE: integer(
    'Requests a minute that a person may make through one application, or with all personal access tokens together.',
    600,
    [1, 1_000_000],
  ),
  ALLOW_QUERY_TOKENS: yesNo('Accept `?access_token=` besides the Authorization header.', false),
  CLIENT_ID_METADATA_DOCUMENTS: yesNo(
    'Accept the https address of a metadata document as `client_id`, so that applications need not be registered.',
    true,
  ),
  CLIENT_ID_METADATA_HOSTS: list('Hosts whose metadata documents are accepted. Unset: all.', [], hostName),
  SMTP_URL: url('Mail server. If it is unset, the command line shows the links that would have been sent.', undefined, [
    'smtp',
    'smtps',
  ]),
  CATCH_MAIL: yesNo(
    'Trial mode: without SMTP_URL, email to customers is kept and shown in the console. `npm start` sets it.',
    false,
  ),
  MAIL_FROM: text('Sender of the installation’s own mail.', 'Deskwire <deskwire@localhost>'),
  MAIL_PORT: integer('Port on which the API accepts mail for mailboxes over SMTP; 0 accepts none.', 0, PORTS),
  MAIL_LMTP_PORT: integer('The same over LMTP, which reports on each recipient.', 0, PORTS),
  MAIL_HOST: text('Address of MAIL_PORT and MAIL_LMTP_PORT; `0.0.0.0` opens it to the network.', '127.0.0.1'),
  MAIL_UNKNOWN_SENDERS_MIB_PER_DAY: integer(
    'MiB of mail a day that are accepted from unknown senders.',
    1024,
    [1, 1_000_000],
  ),
  MAIL_TLS_KEY: text('File with the key for STARTTLS on MAIL_PORT, as PEM.'),
  MAIL_TLS_CERT: text('File with its certificate, as PEM.'),
  MAIL_ALLOWED_NETWORKS: list(
    'Private or local networks (CIDR) in which mail servers of mailboxes are allowed. SMTP_URL may be anywhere.',
    [],
    network,
  ),
  STORAGE_URL: storageLocation(
    'Where attachments are kept: a folder, or `s3://key:secret@host/bucket?region=…`. Unset: `attachments` in DATA_DIR.',
  ),
  DATA_DIR: text('Where `npm start` keeps its data between runs.', DEFAULT_DATA_DIR),
} satisfies Record<string, Setting<unknown>>;

/** Settings that can be read from a file that `NAME_FILE` names. */
export const SECRETS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'SECRETS_KEY',
  'METRICS_TOKEN',
  'WEBHOOK_PROXY_URL',
  'SMTP_URL',
  'STORAGE_URL',
] satisfies (keyof typeof SETTINGS)[];

export type Settings = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> };
