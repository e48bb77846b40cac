import { freePort } from '../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { BenchSetup } from './delivery/bench-setup.js';
import { measureFirstMessages } from './first-messages.js';
import { type FirstSeconds, measureFirstSeconds } from './one/first-seconds.js';

const STARTS = 5;

/** A bundle, and its source modules. */
const PROGRAMS = [
  { name: 'api', file: 'api.js', port: 'PORT' },
  { name: 'api, not bundled', file: 'apps/api/src/main.js', port: 'PORT' },
  { name: 'worker', file: 'worker.js', port: 'WORKER_PORT' },
  { name: 'worker, not bundled', file: 'apps/worker/src/main.js', port: 'WORKER_PORT' },
] as const;

/** Time from process start until `/readyz` succeeds. Median of five alternating starts. */
export async function measureStart(say: (line: string) => void): Promise<object> {
  const setup = await BenchSetup.open();
  const times = new Map<string, number[]>(PROGRAMS.map(({ name }) => [name, []]));
  try {
    for (let round = 0; round < STARTS; round++)
      for (const program of PROGRAMS) times.get(program.name)!.push(await startOnce(setup, program));
    const first = await measureFirstMessages(setup);
    return { ...told(times, first, say), firstSeconds: toldSeconds(await measureFirstSeconds(setup), say) };
  } finally {
    await setup.close();
  }
}

function told(
  times: ReadonlyMap<string, number[]>,
  first: Awaited<ReturnType<typeof measureFirstMessages>>,
  say: (line: string) => void,
): object {
  const medians = [...times].map(([name, all]) => [name, Math.round(all.toSorted((a, b) => a - b)[STARTS >> 1]!)]);
  for (const [name, ms] of medians) say(`${name}: ready in ${ms} ms`);
  const { firstMs, slowestMs, laterMs } = first;
  say(
    `messages one by one: the first ${firstMs.toFixed(1)} ms, the slowest of fifty ${slowestMs.toFixed(1)}, later ${laterMs.toFixed(1)}`,
  );
  return { readyMs: Object.fromEntries(medians) as object, messages: first };
}

function toldSeconds(seconds: FirstSeconds, say: (line: string) => void): FirstSeconds {
  const { first, later } = seconds;
  const times = (first / later).toFixed(1);
  say(
    `200 a second at once: p99 of the first five seconds ${first.toFixed(1)} ms, later ${later.toFixed(1)} (${times} times)`,
  );
  return seconds;
}

async function startOnce(setup: BenchSetup, { file, port }: (typeof PROGRAMS)[number]): Promise<number> {
  const free = `${await freePort()}`;
  const environment = { [port]: free, LOG_LEVEL: 'warn' };
  const began = performance.now();
  const process = setup.process(file, { environment });
  await ready(`http://127.0.0.1:${free}`);
  const ms = performance.now() - began;
  await process.stop();
  return ms;
}
