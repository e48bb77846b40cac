import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { connectableHost } from './ports.js';
import { type LaunchContext, readOrCreateSecret } from './work-directory.js';
import type { Services } from './services.js';

/** The environment of a program. The user's variables take precedence. */
export function programEnvironment(context: LaunchContext, services: Services): NodeJS.ProcessEnv {
  const { options, workDirectory } = context;
  const dataDir = options.servers === 'ephemeral' ? workDirectory.folder : options.dataDir;
  const environment: NodeJS.ProcessEnv = {
    ...(options.servers !== 'joined' && { SECRETS_KEY: ownKey(dataDir) }),
    ...(options.servers === 'persistent' && {
      PUBLIC_URL: `http://${connectableHost(options.host)}:${options.port}`,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
      MAIL_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    }),
    ...options.environment,
    DATABASE_URL: services.databaseUrl,
    HOST: options.host,
    PORT: `${options.port}`,
    DATA_DIR: dataDir,
  };
  // Only the launcher asks for development.
  environment['NODE_ENV'] ||= 'development';
  delete environment['REDIS_URL'];
  if (services.redisUrl) environment['REDIS_URL'] = services.redisUrl;
  // The launcher's own server has no pooler.
  if (services.postgres) environment['DATABASE_DIRECT_URL'] = services.databaseUrl;
  return environment;
}

/** Created at the first start, so that no two installations share a key. */
function ownKey(dataDir: string): string {
  return readOrCreateSecret(path.join(dataDir, 'secrets.key'), () => `local:${randomBytes(32).toString('base64')}`);
}
