import fs from 'node:fs';
import path from 'node:path';
import { lockHolder } from './lock.js';
import type { Options } from './options.js';
import { Refusal, say } from './say.js';

const FILE = 'running.json';

// What a program that joins must agree on with those that run; everything else stays its own affair.
const SHARED = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'SECRETS_KEY',
  'PUBLIC_URL',
  'WEBHOOK_ALLOWED_NETWORKS',
];

/** Tells other commands of this checkout where the running servers are, passwords included. */
export function publishAddresses(folder: string, environment: NodeJS.ProcessEnv): void {
  const shared = Object.fromEntries(SHARED.map((name) => [name, environment[name]]));
  fs.writeFileSync(path.join(folder, FILE), JSON.stringify(shared, undefined, 2), { mode: 0o600 });
}

export function withdrawAddresses(folder: string): void {
  fs.rmSync(path.join(folder, FILE), { force: true });
}

/** A command beside a running start uses its servers: a second worker shares the load, the CLI sees the same desk. */
export function joinRunning(options: Options): Options {
  const holder = options.servers === 'kept' && options.verb === 'run' ? lockHolder(options.dataDir) : undefined;
  if (!holder) return options;
  const file = path.join(options.dataDir, FILE);
  if (!fs.existsSync(file)) throw new Refusal('Deskwire is just starting or stopping here: try again in a moment.');
  say(`joining the Deskwire that runs here (process ${holder.pid})`);
  const shared = JSON.parse(fs.readFileSync(file, 'utf8')) as NodeJS.ProcessEnv;
  return { ...options, servers: 'joined', environment: { ...options.environment, ...shared } };
}
