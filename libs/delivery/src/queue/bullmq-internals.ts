import { ResilientClient, isTransientError } from '#libs/database';
import type { RedisClient } from '#libs/redis';
import { ConnectionClosedError, createPostgresBackend, createRedisBackend } from 'bullmq';
import type { Queue, RedisQueueBackend, Worker } from 'bullmq';
import type { JobData } from './delivery-job.js';

// Private parts of BullMQ 6.7.0, checked by bullmq-internals.spec.ts.

export type BullQueue = Pick<Queue<JobData>, 'add' | 'addBulk' | 'getJobCounts' | 'close'>;

export type BullWorker = Pick<Worker<JobData>, 'concurrency' | 'run' | 'pause' | 'resume' | 'close'>;

const CALL = 'local rcall = redis.call';
const CALL_WITHOUT_STREAM = `local function rcall(command, ...)
    if command == 'XADD' or command == 'XTRIM' then return false end
    return redis.call(command, ...)
  end`;

/** BullMQ writes five entries for each job into a stream that has no reader here. Its scripts are defined without. */
export function withoutEventStream<Client extends RedisClient>(redis: Client): Client {
  const define = redis.defineCommand.bind(redis);
  redis.defineCommand = (name, definition) =>
    define(name, { ...definition, lua: definition.lua.replace(CALL, CALL_WITHOUT_STREAM) });
  return redis;
}

/** BullMQ appends its version. */
const TAKE = 'moveToActive';

const KEYS_OF_TAKE = 11;
const NO_JOB = [0, 0, 0, 0];

/**
 * BullMQ restores its wake-up marker with each job that it hands out, so after a single event a worker takes twice and
 * is woken once in vain. Here the take removes the marker when no job is left. Adding a job sets it, so no job is
 * missed. Source: https://github.com/taskforcesh/bullmq/blob/v6.7.0/src/commands/moveToActive-11.lua
 */
export function sparingBackend(...parts: Parameters<typeof createRedisBackend>): RedisQueueBackend {
  const backend = createRedisBackend(...parts);
  const waitForJob = backend.waitForJob.bind(backend);
  const execCommand = backend.execCommand.bind(backend);
  const redis = parts[1].connection as RedisClient;
  let noneLeft = false;

  async function take(name: string, keysAndValues: unknown[]): Promise<unknown> {
    if (noneLeft) {
      noneLeft = false;
      return NO_JOB;
    }
    const [taken, left] = await runTake(redis, name, keysAndValues);
    noneLeft = left === 0;
    return taken;
  }

  return Object.assign(backend, {
    waitForJob: (seconds: number) => {
      noneLeft = false;
      return waitForJob(seconds);
    },
    execCommand: (client: Commands, name: string, keysAndValues: unknown[]): unknown =>
      execCommand((name === TAKE ? { runCommand: take } : client) as never, name, keysAndValues),
  });
}

interface Commands {
  runCommand(name: string, keysAndValues: unknown[]): unknown;
}

type Take = (keysAndValues: unknown[]) => Promise<[taken: unknown, left: 0 | 1]>;

function runTake(redis: RedisClient, name: string, keysAndValues: unknown[]): ReturnType<Take> {
  const commands = redis as unknown as Record<string, Take>;
  const sparing = `${name}:sparing`;
  if (!commands[sparing]) {
    const { lua } = (redis.scriptsSet as Record<string, { lua: string }>)[name]!;
    redis.defineCommand(sparing, { numberOfKeys: KEYS_OF_TAKE, lua: sparingScript(lua) });
  }
  return commands[sparing]!(keysAndValues);
}

/** Keys 1 and 3 hold jobs, key 11 is the marker. */
const sparingScript = (take: string): string => `
  local function take()
    ${take}
  end
  local taken = take()
  if redis.call('LLEN', KEYS[1]) > 0 or redis.call('ZCARD', KEYS[3]) > 0 then return { taken, 1 } end
  redis.call('ZREM', KEYS[11], '0')
  return { taken, 0 }`;

/**
 * BullMQ’s listening client has no error listener while it connects and closes, so a lost connection would end the
 * process; and a failed start is remembered for good. See docs/decisions/bullmq-postgres-backend.md;
 * https://github.com/taskforcesh/bullmq/pull/4781 fixes a part.
 */
export function resilientBackend(...parts: Parameters<typeof createPostgresBackend>) {
  const backend = createPostgresBackend(...parts);
  Object.assign(backend.connection, { pgModule: { Client: ResilientClient } });
  forgetFailedStarts(backend.connection);
  forgetFailedStarts(backend);
  const rethrow = backend['mapFinishError'].bind(backend);
  // BullMQ repeats the end of a job after this error only. Otherwise the job stays active for a minute and runs again.
  backend['mapFinishError'] = (error: unknown, ...job: unknown[]) =>
    rethrow(isTransientError(error) ? new ConnectionClosedError(undefined, error) : error, ...job);
  return backend;
}

function forgetFailedStarts(part: { waitUntilReady(): Promise<void> }): void {
  const start = part.waitUntilReady.bind(part);
  part.waitUntilReady = () =>
    start().catch((error: unknown) => {
      Object.assign(part, { readyPromise: undefined });
      throw error;
    });
}
