import ipaddr from 'ipaddr.js';
import { type Settings, isExposed, isLoopback, singleHostUrls } from '#libs/settings';
import { type CheckResult, amber, red } from './finding.js';

type Judgement = CheckResult | false;

/** In the order of the settings. What is not judged here cannot weaken the installation, or prevents its start. */
const RULES: readonly ((settings: Settings) => Judgement)[] = [
  ({ NODE_ENV }) =>
    NODE_ENV !== 'production' &&
    red(`NODE_ENV is ${NODE_ENV}, and other machines have access: links that set passwords may be logged. Unset it`),
  ({ DATABASE_URL }) => unencryptedDatabase('DATABASE_URL', DATABASE_URL),
  ({ DATABASE_URL, DATABASE_DIRECT_URL: direct = DATABASE_URL }) =>
    direct !== DATABASE_URL && unencryptedDatabase('DATABASE_DIRECT_URL', direct),
  ({ REDIS_URL, REDIS_SENTINELS }) => weakRedis(REDIS_URL, REDIS_SENTINELS),
  ({ PUBLIC_URL, HOST }) => weakPublicUrl(new URL(PUBLIC_URL), HOST),
  ({ TRUSTED_PROXIES, PUBLIC_URL }) => weakProxies(TRUSTED_PROXIES, PUBLIC_URL),
  ({ OPEN_REQUESTS_PER_ADDRESS }) => loose('OPEN_REQUESTS_PER_ADDRESS', OPEN_REQUESTS_PER_ADDRESS, 10_000),
  ({ CONNECTIONS_PER_ADDRESS }) => loose('CONNECTIONS_PER_ADDRESS', CONNECTIONS_PER_ADDRESS, 10_000),
  ({ LOG_LEVEL }) =>
    LOG_LEVEL === 'silent' && amber('LOG_LEVEL is silent: the log does not show who signed in. Set info'),
  ({ WEBHOOK_REQUIRE_HTTPS }) =>
    !WEBHOOK_REQUIRE_HTTPS &&
    amber('WEBHOOK_REQUIRE_HTTPS is false: messages of customers may travel unencrypted. Unset it'),
  ({ WEBHOOK_ALLOWED_NETWORKS }) => weakNetworks('WEBHOOK_ALLOWED_NETWORKS', WEBHOOK_ALLOWED_NETWORKS, 'webhooks'),
  ({ WEBHOOK_PROXY_URL }) =>
    WEBHOOK_PROXY_URL !== undefined &&
    amber('WEBHOOK_PROXY_URL is set: that proxy must refuse addresses of private networks'),
  ({ RATE_LIMIT_PER_MINUTE }) => loose('RATE_LIMIT_PER_MINUTE', RATE_LIMIT_PER_MINUTE, 60_000),
  ({ ALLOW_QUERY_TOKENS }) =>
    ALLOW_QUERY_TOKENS &&
    amber('ALLOW_QUERY_TOKENS is true: tokens end up in the logs of proxies. Unset it once no client needs it'),
  ({ SMTP_URL }) => weakMail(SMTP_URL),
  ({ MAIL_PORT, MAIL_LMTP_PORT, MAIL_HOST, MAIL_TLS_CERT }) =>
    (MAIL_PORT > 0 || MAIL_LMTP_PORT > 0) &&
    !isLoopback(MAIL_HOST) &&
    MAIL_TLS_CERT === undefined &&
    amber(
      'MAIL_HOST accepts mail from other machines without STARTTLS: it arrives unencrypted. Set MAIL_TLS_KEY and MAIL_TLS_CERT',
    ),
  ({ MAIL_ALLOWED_NETWORKS }) => weakNetworks('MAIL_ALLOWED_NETWORKS', MAIL_ALLOWED_NETWORKS, 'mailboxes'),
  ({ STORAGE_URL }) =>
    STORAGE_URL.kind === 'bucket' &&
    isUnencrypted(new URL(STORAGE_URL.endpoint), 'http:') &&
    amber('STORAGE_URL has tls=false: attachments travel unencrypted. Remove that'),
];

/** Returns the findings of all settings; none in development unless other machines have access. */
export function weakSettings(settings: Settings): CheckResult[] {
  if (settings.NODE_ENV !== 'production' && !isExposed(settings)) return [];
  return RULES.flatMap((rule) => rule(settings) || []);
}

/** A limit above what one process can serve has no effect. */
const loose = (name: string, value: number, max: number): Judgement =>
  value > max && amber(`${name} is ${value}: one client can use all capacity. Set at most ${max}`);

const isUnencrypted = ({ protocol, hostname }: URL, unencrypted: string): boolean =>
  protocol === unencrypted && !isNeighbour(hostname);

const unencryptedDatabase = (name: string, address: string): Judgement =>
  !singleHostUrls(address).every((one) => staysHere(new URL(one))) &&
  amber(`${name} leads out of this network without verified TLS: add ?sslmode=verify-full`);

const staysHere = ({ hostname, searchParams }: URL): boolean =>
  isNeighbour(hostname) || ['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '');

function weakRedis(address: Settings['REDIS_URL'], sentinels: Settings['REDIS_SENTINELS']): Judgement {
  if (address === undefined) return amber('REDIS_URL is unset, so there are no rate limits. Set one');
  const servers = singleHostUrls(address).map((one) => new URL(one));
  const all = [...servers, ...sentinels.map(({ host }) => new URL(`${servers[0]!.protocol}//${host}`))];
  if (all.some((url) => isUnencrypted(url, 'redis:')))
    return amber('REDIS_URL leads out of this network without TLS: use rediss://');
  return (
    servers.some(({ password, hostname }) => password === '' && !isLoopback(hostname)) &&
    amber('REDIS_URL has no password: anyone who reaches that server can change the queue. Set requirepass')
  );
}

function weakPublicUrl({ protocol, hostname }: URL, host: string): Judgement {
  if (isLoopback(hostname))
    return (
      !isLoopback(host) &&
      amber('PUBLIC_URL is only valid on this machine, but HOST accepts other machines: set the address that they use')
    );
  return (
    protocol === 'http:' &&
    red('PUBLIC_URL is http: passwords and tokens travel unencrypted. End TLS in front, and set its https address')
  );
}

/** A larger network cannot belong to one owner. */
const isHuge = (network: string): boolean => Number(network.split('/')[1]) < (network.includes(':') ? 16 : 8);

function weakProxies(networks: readonly string[], publicUrl: string): Judgement {
  if (networks.some(isHuge))
    return red('TRUSTED_PROXIES trusts almost all addresses: any caller can claim any address. Name the proxy only');
  return (
    networks.length === 0 &&
    publicUrl.startsWith('https:') &&
    amber('TRUSTED_PROXIES is unset: sign-in limits count all people as one caller. Name the proxy that ends TLS')
  );
}

/** Clouds hand out credentials at these addresses, without a password. */
const METADATA = ['169.254.169.254/32', 'fd00:ec2::254/128'];

function weakNetworks(name: string, networks: readonly string[], whose: string): Judgement {
  if (networks.some((one) => isHuge(one) || METADATA.some((address) => overlaps(one, address))))
    return red(`${name} opens addresses that hand out credentials to ${whose}: name single servers`);
  return (
    networks.length > 0 &&
    amber(`${name} opens ${networks.join(', ')} to every account's ${whose}. Unset it if you can`)
  );
}

function weakMail(address: string | undefined): Judgement {
  if (address === undefined)
    return amber('SMTP_URL is unset: invitations and notices of disabled webhooks are not sent. Set one');
  const url = new URL(address);
  return (
    isUnencrypted(url, 'smtp:') &&
    url.searchParams.get('requireTLS') !== 'true' &&
    amber('SMTP_URL does not require TLS: links that set passwords may travel unencrypted. Use smtps://')
  );
}

/** Returns whether traffic to the host stays on this machine or in a private network. */
function isNeighbour(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (!ipaddr.isValid(host)) return !host.includes('.');
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(host).range());
}

function overlaps(one: string, other: string): boolean {
  const [a, aBits] = ipaddr.parseCIDR(one);
  const [b, bBits] = ipaddr.parseCIDR(other);
  return a.kind() === b.kind() && (a as ipaddr.IPv4).match(b, Math.min(aBits, bBits));
}
