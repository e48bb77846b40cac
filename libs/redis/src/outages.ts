/** The name of the server in the log of outages. */
export const REDIS = 'Redis';

/** Messages of ioredis for a command that could not be sent or was not answered. */
const OF_COMMANDS =
  /Stream isn't writeable|Connection is closed|Command timed out|Socket timeout|max retries per request|operation was aborted|WRONGPASS|NOAUTH|CLUSTERDOWN|LOADING/i;

/** Whether the connection to Redis failed, rather than one to another server. */
export const isRedisOutage = ({ message }: Error): boolean => OF_COMMANDS.test(message);

/** The user or the password is wrong, which only an operator can correct. */
export const isRefusedLogin = ({ message }: Error): boolean => /WRONGPASS|NOAUTH|invalid password/i.test(message);

const isTlsFault = ({ code = '', message }: Error & { code?: string }): boolean =>
  /^ERR_SSL|^ERR_TLS|CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) || /wrong version number/i.test(message);

/** Describes what is wrong with Redis and how to fix it. */
export function describeRedisOutage(error: Error & { code?: string }): string {
  const reason = error.message || error.code || error.name;
  if (isRefusedLogin(error)) return `Redis refuses the user or password of REDIS_URL (${reason}): correct REDIS_URL`;
  if (isTlsFault(error))
    return `Redis and REDIS_URL do not agree on TLS (${reason}): use rediss:// for a server with TLS and redis:// for one without, and name its certificate authority in REDIS_CA`;
  return `Redis does not answer at REDIS_URL (${reason}): check that it runs, that this machine reaches it, and that REDIS_URL says rediss:// if it expects TLS. Deliveries wait in PostgreSQL until it answers`;
}
