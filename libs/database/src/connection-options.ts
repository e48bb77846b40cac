import { singleHostUrls } from '#libs/settings';
import { ResilientClient, type ResilientOptions } from './resilient-client.js';
import type { Prepared } from './statements.js';

export const CONNECT_TIMEOUT_MS = 5_000;

/** The system’s default, two hours, notices a lost host too late. */
const KEEP_ALIVE_MS = 10_000;

export function connectionOptions(url: string, { maxSilenceMs }: Pick<ResilientOptions, 'maxSilenceMs'> = {}) {
  const urls = singleHostUrls(url);
  return {
    connectionString: urls[0]!,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    Client: ResilientClient,
    ...(maxSilenceMs !== undefined && { maxSilenceMs }),
    ...(urls.length > 1 && { hostUrls: urls }),
  };
}

export type SessionSettings = Readonly<Record<string, string>>;

export const startupOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Behind a pooler, the next transaction may run in another session. */
export const settingsOfTransaction = (settings: SessionSettings): Prepared => ({
  name: 'tx_settings',
  text: `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
  values: [],
});
