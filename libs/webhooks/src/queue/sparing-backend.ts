import type { RedisClient } from '#libs/redis';
import { type RedisQueueBackend, createRedisBackend } from 'bullmq';

/** What BullMQ asks to take a job. It puts the version behind the name. */
const TAKE = 'moveToActive';

/** BullMQ’s answer when there is no job. */
const NO_JOB = [0, 0, 0, 0];

/**
 * BullMQ wakes workers by a marker in Redis, and puts it back with each job that it hands out, as there may be more. While
 * events come one by one there is none. So for each event a worker asked twice for nothing, and was woken once for
 * nothing. Here the take itself removes the marker when no job is left, and says so. The worker then does not ask again
 * before it waits. Whoever adds a job puts the marker back, so none is overlooked.
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

const KEYS_OF_TAKE = 11;

/** One round trip. */
function runTake(redis: RedisClient, name: string, keysAndValues: unknown[]): ReturnType<Take> {
  const commands = redis as unknown as Record<string, Take>;
  const sparing = `${name}:sparing`;
  if (!commands[sparing]) {
    const { lua } = (redis.scriptsSet as Record<string, { lua: string }>)[name]!;
    redis.defineCommand(sparing, { numberOfKeys: KEYS_OF_TAKE, lua: sparingScript(lua) });
  }
  return commands[sparing]!(keysAndValues);
}

/** BullMQ’s own script, and then the look whether it left a job. Of its keys, 1 and 3 hold jobs, and 11 is the marker. */
const sparingScript = (take: string): string => `
  local function take()
    ${take}
  end
  local taken = take()
  if redis.call('LLEN', KEYS[1]) > 0 or redis.call('ZCARD', KEYS[3]) > 0 then return { taken, 1 } end
  redis.call('ZREM', KEYS[11], '0')
  return { taken, 0 }`;
