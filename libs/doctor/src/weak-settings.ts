import ipaddr from 'ipaddr.js';
import { type Settings, isExposed, singleHostUrls } from '#libs/settings';
import { type CheckResult, amber, red } from './finding.js';

/** Returns a finding if the value of the setting weakens the installation. */
type Rule = (settings: Settings) => CheckResult | undefined;

const never: Rule = () => undefined;

/** A rule for each setting; the compiler asks for the rule of a new one. */
const RULES: Readonly<Record<keyof Settings, Rule>> = {
  NODE_ENV: ({ NODE_ENV }) =>
    NODE_ENV === 'production'
      ? undefined
      : red(
          `NODE_ENV is ${NODE_ENV}, and other machines have access: links that set passwords may be logged. Unset it`,
        ),
  DATABASE_URL: ({ DATABASE_URL }) => unencryptedDatabase('DATABASE_URL', DATABASE_URL),
  DATABASE_DIRECT_URL: ({ DATABASE_URL, DATABASE_DIRECT_URL: direct }) =>
    direct === undefined || direct === DATABASE_URL ? undefined : unencryptedDatabase('DATABASE_DIRECT_URL', direct),
  DATABASE_POOL_SIZE: never,
  REDIS_URL: ({ REDIS_URL, REDIS_SENTINELS }) => weakRedis(REDIS_URL, REDIS_SENTINELS),
  REDIS_SENTINELS: never,
  REDIS_SENTINEL_NAME: never,
  REDIS_SENTINEL_PASSWORD: never,
  REDIS_CLUSTER: never,
  REDIS_CA: never,
  QUEUE_PREFIX: never,
  PORT: never,
  HOST: never,
  PUBLIC_URL: ({ PUBLIC_URL, HOST }) => weakPublicUrl(new URL(PUBLIC_URL), HOST),
  TRUSTED_PROXIES: ({ TRUSTED_PROXIES, PUBLIC_URL }) => weakProxies(TRUSTED_PROXIES, PUBLIC_URL),
  WORKER_PORT: never,
  WORKER_CONCURRENCY: never,
  // Weak keys prevent the start.
  SECRETS_KEY: never,
  METRICS_TOKEN: never,
  HEADERS_TIMEOUT_MS: never,
  BODY_TIMEOUT_MS: never,
  STALL_TIMEOUT_MS: never,
  KEEP_ALIVE_TIMEOUT_MS: never,
  OPEN_REQUESTS_PER_ADDRESS: ({ OPEN_REQUESTS_PER_ADDRESS }) =>
    loose('OPEN_REQUESTS_PER_ADDRESS', OPEN_REQUESTS_PER_ADDRESS, 10_000),
  CONNECTIONS_PER_ADDRESS: ({ CONNECTIONS_PER_ADDRESS }) =>
    loose('CONNECTIONS_PER_ADDRESS', CONNECTIONS_PER_ADDRESS, 10_000),
  // An open stream costs the API little memory.
  LIVE_STREAMS_PER_AGENT: never,
  LIVE_STREAMS_PER_ACCOUNT: never,
  LOG_LEVEL: ({ LOG_LEVEL }) =>
    LOG_LEVEL === 'silent' ? amber('LOG_LEVEL is silent: the log does not show who signed in. Set info') : undefined,
  ATTEMPT_LOG_LEVEL: never,
  ATTEMPT_LOG_ONE_IN: never,
  DRAIN_MS: never,
  SHUTDOWN_GRACE_MS: never,
  WEBHOOK_TIMEOUT_MS: never,
  WEBHOOK_HOST_CONCURRENCY: never,
  WEBHOOK_HOST_PER_SECOND: never,
  WEBHOOK_RETRY_SCHEDULE: never,
  WEBHOOK_REQUIRE_HTTPS: ({ WEBHOOK_REQUIRE_HTTPS }) =>
    WEBHOOK_REQUIRE_HTTPS
      ? undefined
      : amber('WEBHOOK_REQUIRE_HTTPS is false: messages of customers may travel unencrypted. Unset it'),
  WEBHOOK_ALLOWED_NETWORKS: ({ WEBHOOK_ALLOWED_NETWORKS }) =>
    weakNetworks('WEBHOOK_ALLOWED_NETWORKS', WEBHOOK_ALLOWED_NETWORKS, 'webhooks'),
  WEBHOOKS_PER_ACCOUNT: never,
  WEBHOOK_PROXY_URL: ({ WEBHOOK_PROXY_URL }) =>
    WEBHOOK_PROXY_URL === undefined
      ? undefined
      : amber('WEBHOOK_PROXY_URL is set: that proxy must refuse addresses of private networks'),
  EVENT_HEADER_ALIASES: never,
  RETENTION_DAYS: never,
  RATE_LIMIT_PER_MINUTE: ({ RATE_LIMIT_PER_MINUTE }) => loose('RATE_LIMIT_PER_MINUTE', RATE_LIMIT_PER_MINUTE, 60_000),
  ALLOW_QUERY_TOKENS: ({ ALLOW_QUERY_TOKENS }) =>
    ALLOW_QUERY_TOKENS
      ? amber('ALLOW_QUERY_TOKENS is true: tokens end up in the logs of proxies. Unset it once no client needs it')
      : undefined,
  SMTP_URL: ({ SMTP_URL }) => weakMail(SMTP_URL),
  CATCH_MAIL: never,
  MAIL_FROM: never,
  MAIL_PORT: never,
  MAIL_LMTP_PORT: never,
  MAIL_HOST: ({ MAIL_PORT, MAIL_LMTP_PORT, MAIL_HOST, MAIL_TLS_CERT }) =>
    (MAIL_PORT === 0 && MAIL_LMTP_PORT === 0) || isLoopback(MAIL_HOST) || MAIL_TLS_CERT !== undefined
      ? undefined
      : amber(
          'MAIL_HOST accepts mail from other machines without STARTTLS: it arrives unencrypted. Set MAIL_TLS_KEY and MAIL_TLS_CERT',
        ),
  MAIL_UNKNOWN_SENDERS_MIB_PER_DAY: never,
  MAIL_TLS_KEY: never,
  MAIL_TLS_CERT: never,
  MAIL_ALLOWED_NETWORKS: ({ MAIL_ALLOWED_NETWORKS }) =>
    weakNetworks('MAIL_ALLOWED_NETWORKS', MAIL_ALLOWED_NETWORKS, 'mailboxes'),
  STORAGE_URL: ({ STORAGE_URL }) =>
    STORAGE_URL.kind === 'bucket' && isUnencrypted(new URL(STORAGE_URL.endpoint), 'http:')
      ? amber('STORAGE_URL has tls=false: attachments travel unencrypted. Remove that')
      : undefined,
  DATA_DIR: never,
};

/** Returns the findings of all settings; none in development unless other machines have access. */
export function weakSettings(settings: Settings): CheckResult[] {
  if (settings.NODE_ENV !== 'production' && !isExposed(settings)) return [];
  return Object.values(RULES).flatMap((rule) => rule(settings) ?? []);
}

/** A limit above what one process can serve has no effect. */
const loose = (name: string, value: number, max: number): CheckResult | undefined =>
  value > max ? amber(`${name} is ${value}: one client can use all capacity. Set at most ${max}`) : undefined;

const isUnencrypted = ({ protocol, hostname }: URL, unencrypted: string): boolean =>
  protocol === unencrypted && !isNeighbour(hostname);

function unencryptedDatabase(name: string, address: string): CheckResult | undefined {
  if (singleHostUrls(address).every((one) => staysHere(new URL(one)))) return undefined;
  return amber(`${name} leads out of this network without verified TLS: add ?sslmode=verify-full`);
}

const staysHere = ({ hostname, searchParams }: URL): boolean =>
  isNeighbour(hostname) || ENCRYPTING.has(searchParams.get('sslmode') ?? '');

const ENCRYPTING = new Set(['require', 'verify-ca', 'verify-full']);

function weakRedis(address: Settings['REDIS_URL'], sentinels: Settings['REDIS_SENTINELS']): CheckResult | undefined {
  if (address === undefined) return amber('REDIS_URL is unset, so there are no rate limits. Set one');
  const servers = singleHostUrls(address).map((one) => new URL(one));
  if ([...servers, ...sentinels.map(({ host }) => new URL(`${servers[0]!.protocol}//${host}`))].some(isPlainRedis))
    return amber('REDIS_URL leads out of this network without TLS: use rediss://');
  if (servers.some(({ password, hostname }) => password === '' && !isLoopback(hostname)))
    return amber('REDIS_URL has no password: anyone who reaches that server can change the queue. Set requirepass');
  return undefined;
}

const isPlainRedis = (url: URL): boolean => isUnencrypted(url, 'redis:');

function weakPublicUrl({ protocol, hostname }: URL, host: string): CheckResult | undefined {
  if (protocol === 'http:' && !isLoopback(hostname))
    return red(
      'PUBLIC_URL is http: passwords and tokens travel unencrypted. End TLS in front, and set its https address',
    );
  if (isLoopback(hostname) && !isLoopback(host))
    return amber(
      'PUBLIC_URL is only valid on this machine, but HOST accepts other machines: set the address that they use',
    );
  return undefined;
}

/** A larger network cannot belong to one owner. */
const MAX_NETWORK = { ipv4: 8, ipv6: 16 };

function isHuge(network: string): boolean {
  const bits = Number(network.split('/')[1]);
  return bits < (network.includes(':') ? MAX_NETWORK.ipv6 : MAX_NETWORK.ipv4);
}

function weakProxies(networks: readonly string[], publicUrl: string): CheckResult | undefined {
  if (networks.some(isHuge))
    return red('TRUSTED_PROXIES trusts almost all addresses: any caller can claim any address. Name the proxy only');
  if (networks.length === 0 && publicUrl.startsWith('https:'))
    return amber(
      'TRUSTED_PROXIES is unset: sign-in limits count all people as one caller. Name the proxy that ends TLS',
    );
  return undefined;
}

/** Clouds hand out credentials at these addresses, without a password. */
const METADATA = ['169.254.169.254/32', 'fd00:ec2::254/128'];

function weakNetworks(name: string, networks: readonly string[], whose: string): CheckResult | undefined {
  if (networks.length === 0) return undefined;
  if (networks.some((one) => isHuge(one) || METADATA.some((address) => overlaps(one, address))))
    return red(`${name} opens addresses that hand out credentials to ${whose}: name single servers`);
  return amber(`${name} opens ${networks.join(', ')} to every account's ${whose}. Unset it if you can`);
}

function weakMail(address: string | undefined): CheckResult | undefined {
  if (address === undefined)
    return amber('SMTP_URL is unset: invitations and notices of disabled webhooks are not sent. Set one');
  const url = new URL(address);
  if (!isUnencrypted(url, 'smtp:') || url.searchParams.get('requireTLS') === 'true') return undefined;
  return amber('SMTP_URL does not require TLS: links that set passwords may travel unencrypted. Use smtps://');
}

/** Returns whether traffic to the host stays on this machine or in a private network. */
function isNeighbour(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (!ipaddr.isValid(host)) return !host.includes('.');
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
}

function overlaps(one: string, other: string): boolean {
  const [a, aBits] = ipaddr.parseCIDR(one);
  const [b, bBits] = ipaddr.parseCIDR(other);
  if (a.kind() !== b.kind()) return false;
  const bits = Math.min(aBits, bBits);
  return (a as ipaddr.IPv4).match(b, bits);
}
