import { singleHostUrls } from '#libs/settings';
import { PrimaryFinder } from './primary-finder.js';
import { ResilientClient, type ResilientOptions } from './resilient-client.js';

/** How long a connection may take until it can be used. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** Of silence, before the system asks whether the other end is still there; its own default is two hours. */
const KEEP_ALIVE_MS = 10_000;

/** What every connection to PostgreSQL has in common, for a pool or for a client. `Client` is for pools. */
export function connectionOptions(url: string, { maxSilenceMs }: Pick<ResilientOptions, 'maxSilenceMs'> = {}) {
  const urls = singleHostUrls(url);
  return {
    connectionString: urls[0]!,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    Client: ResilientClient,
    ...(maxSilenceMs !== undefined && { maxSilenceMs }),
    ...(urls.length > 1 && { primaries: new PrimaryFinder(urls) }),
  };
}
