import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Options } from './options.js';
import { connectableHost } from './ready.js';
import { readOrCreateSecret } from './secrets.js';
import type { LaunchContext } from './launch-context.js';
import type { Services } from './services.js';

/** The environment of a program. Variables that the user has set stay as they are. */
export function programEnvironment({ options, workDirectory }: LaunchContext, services: Services): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {
    ...(options.servers === 'persistent' ? developmentSettings(options) : {}),
    ...options.environment,
    DATABASE_URL: services.databaseUrl,
    HOST: options.host,
    PORT: `${options.port}`,
    DATA_DIR: options.servers === 'ephemeral' ? workDirectory.folder : options.dataDir,
  };
  delete environment['REDIS_URL'];
  if (services.redisUrl) environment['REDIS_URL'] = services.redisUrl;
  // LISTEN needs a connection that no pooler shares; our own server has no pooler.
  if (services.postgres) environment['DATABASE_DIRECT_URL'] = services.databaseUrl;
  return environment;
}

/** For development. Production sets its own. */
function developmentSettings({ dataDir, host, port }: Options): NodeJS.ProcessEnv {
  return {
    PUBLIC_URL: `http://${connectableHost(host)}:${port}`,
    SECRETS_KEY: readOrCreateSecret(
      path.join(dataDir, 'secrets.key'),
      () => `local:${randomBytes(32).toString('base64')}`,
    ),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  };
}
