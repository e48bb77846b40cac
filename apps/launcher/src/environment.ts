import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Options } from './options.js';
import { connectableHost } from './ready.js';
import { readOrCreateSecret } from './work-directory.js';
import type { LaunchContext } from './work-directory.js';
import type { Services } from './services.js';

/** The environment of a program. Variables that the user has set stay as they are. */
export function programEnvironment(context: LaunchContext, services: Services): NodeJS.ProcessEnv {
  const { options, workDirectory } = context;
  const dataDir = options.servers === 'ephemeral' ? workDirectory.folder : options.dataDir;
  const environment: NodeJS.ProcessEnv = {
    ...(options.servers === 'joined' ? {} : { SECRETS_KEY: ownKey(dataDir) }),
    ...(options.servers === 'persistent' ? developmentSettings(options) : {}),
    ...options.environment,
    DATABASE_URL: services.databaseUrl,
    HOST: options.host,
    PORT: `${options.port}`,
    DATA_DIR: dataDir,
  };
  // Who starts it this way works on it. Nothing else asks for development.
  environment['NODE_ENV'] ||= 'development';
  delete environment['REDIS_URL'];
  if (services.redisUrl) environment['REDIS_URL'] = services.redisUrl;
  // LISTEN needs a connection that no pooler shares; our own server has no pooler.
  if (services.postgres) environment['DATABASE_DIRECT_URL'] = services.databaseUrl;
  return environment;
}

/** Made at the first start, so that no key is known to anybody else, whoever can reach this machine. */
function ownKey(dataDir: string): string {
  return readOrCreateSecret(path.join(dataDir, 'secrets.key'), () => `local:${randomBytes(32).toString('base64')}`);
}

/** For development. Production sets its own. */
function developmentSettings({ host, port }: Options): NodeJS.ProcessEnv {
  return {
    PUBLIC_URL: `http://${connectableHost(host)}:${port}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    MAIL_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  };
}
