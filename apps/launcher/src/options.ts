import path from 'node:path';
import { DEFAULT_DATA_DIR, withSecretFiles } from '#libs/settings';
import { UserFacingError } from './terminal.js';

export interface Options {
  verb: 'start' | 'dev' | 'run';
  /**
   * `persistent`: the data stays in the data directory. `ephemeral`: the data is in a temporary directory, and any number
   * of runs can be side by side. `joined`: the servers of a start that runs already.
   */
  servers: 'persistent' | 'ephemeral' | 'joined';
  /** Whether a crash of the machine loses nothing. Ephemeral servers are durable for measurements only. */
  durable: boolean;
  /** Refuses a data directory in which no desk was started, rather than making an empty one there. */
  existing: boolean;
  withoutRedis: boolean;
  /** In CI the tests must run with Redis. */
  redisRequired: boolean;
  command: string[];
  dataDir: string;
  host: string;
  port: number;
  environment: NodeJS.ProcessEnv;
}

const FLAGS = new Set(['--ephemeral', '--durable', '--existing', '--no-redis']);

export function readOptions(argv: string[], given: NodeJS.ProcessEnv): Options {
  const { environment, faults } = withSecretFiles(given);
  if (faults.size > 0) throw new UserFacingError(`${[...faults.values()].join('; ')}.`);
  const [verb, ...rest] = argv;
  if (verb !== 'start' && verb !== 'dev' && verb !== 'run')
    throw new UserFacingError('The launcher knows `start`, `dev` and `run -- <command>`.');
  const cut = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const flags = rest.slice(0, cut);
  const unknown = flags.find((flag) => !FLAGS.has(flag));
  if (unknown) throw new UserFacingError(`${unknown} is not an option here: try --help.`);
  const ephemeral = flags.includes('--ephemeral');
  return {
    verb,
    servers: ephemeral ? 'ephemeral' : 'persistent',
    durable: !ephemeral || flags.includes('--durable'),
    existing: flags.includes('--existing'),
    withoutRedis: flags.includes('--no-redis'),
    redisRequired: ephemeral && environment['CI'] === 'true' && !flags.includes('--no-redis'),
    command: rest.slice(cut + 1),
    dataDir: path.resolve(environment['DATA_DIR'] || DEFAULT_DATA_DIR),
    host: environment['HOST'] || '127.0.0.1',
    port: readPort(environment['PORT'] || '3000'),
    environment,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new UserFacingError('PORT must be a number between 1 and 65535.');
}
