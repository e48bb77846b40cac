const WHICH_RULES = 'give the account of REDIS_URL the rules that docs/machines.md lists under “An account of Redis”';

/** Whether the account may not do something. Redis 7.0 has other words for it where a script does it. */
export const isRefusedByRedis = ({ message }: Error): boolean =>
  /NOPERM|ACL failure|no permissions|user executing the script can't/i.test(message);

/** What is refused by it, and what to do about it. */
export const tellRefusal = (what: string, { message }: Error): string =>
  `Redis refuses ${what} (${message}): ${WHICH_RULES}`;

export const tellUncounted = (error: Error): string => tellRefusal('what counts requests, so nobody is limited', error);
