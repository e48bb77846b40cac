/** Named in the log of outages. */
export const REDIS = 'Redis';

/** Commands that could not be sent or were not answered. */
const OF_COMMANDS =
  /Stream isn't writeable|Connection is closed|Command timed out|Socket timeout|max retries per request|operation was aborted|WRONGPASS|NOAUTH|CLUSTERDOWN|LOADING/i;

export const isRedisOutage = (error: Error): boolean =>
  OF_COMMANDS.test(error.message) || isUnwritable(error) || isRefusedByRedis(error);

/** Out of memory, a disk that is full or fails, or a replica. */
export const isUnwritable = ({ message }: Error): boolean =>
  /\b(OOM|MISCONF|READONLY|NOREPLICAS|UNBLOCKED)\b/.test(message);

export const isRefusedLogin = ({ message }: Error): boolean => /WRONGPASS|NOAUTH|invalid password/i.test(message);

const isTlsFault = ({ code = '', message }: Error & { code?: string }): boolean =>
  /^ERR_SSL|^ERR_TLS|CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) || /wrong version number/i.test(message);

export function describeRedisOutage(error: Error & { code?: string }): string {
  const reason = error.message || error.code || error.name;
  if (isRefusedLogin(error)) return `Redis refuses the user or password of REDIS_URL (${reason}): correct REDIS_URL`;
  if (isTlsFault(error))
    return `Redis and REDIS_URL do not agree on TLS (${reason}): use rediss:// for a server with TLS and redis:// for one without, and name its certificate authority in REDIS_CA`;
  if (isUnwritable(error))
    return `Redis responds but refuses writes (${reason}): give it memory or disk space, or let REDIS_URL name the primary. Deliveries wait in PostgreSQL until it accepts them`;
  if (isRefusedByRedis(error)) return describeRedisRefusal('what the queue needs', error);
  return `Redis does not respond at REDIS_URL (${reason}): check that it runs, that this machine can reach it, and that REDIS_URL says rediss:// if it expects TLS. Deliveries wait in PostgreSQL until it answers`;
}

const WHICH_RULES = 'give the account of REDIS_URL the rules that docs/machines.md lists under “An account of Redis”';

/** Redis 7.0 words it differently for scripts. */
export const isRefusedByRedis = ({ message }: Error): boolean =>
  /NOPERM|ACL failure|no permissions|user executing the script can't/i.test(message);

export const describeRedisRefusal = (what: string, { message }: Error): string =>
  `Redis refuses ${what} (${message}): ${WHICH_RULES}`;

export const describeUncountedRequests = (error: Error): string =>
  describeRedisRefusal('what counts requests, so no limits apply', error);
