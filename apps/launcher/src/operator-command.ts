import path from 'node:path';
import { logFolder } from './home.js';
import { describeExit, lastLines, launch, rotateLog } from './program.js';
import { Refusal } from './say.js';
import type { Ground } from './ground.js';

/** Runs one of the operator's commands to its end; its output goes to a log, which an error quotes. */
export async function runTool(ground: Ground, environment: NodeJS.ProcessEnv, words: string[]): Promise<void> {
  const log = rotateLog(path.join(logFolder(ground.home.folder), 'cli.log'));
  const running = launch(
    {
      name: words[0] ?? '',
      tier: 'app',
      file: process.execPath,
      args: ['dist/apps/cli/src/main.js', ...words],
      environment,
      stopSignal: 'SIGTERM',
      graceMs: 30_000,
      log,
    },
    ground.roster,
  );
  const exit = await running.exited;
  if (exit.code === 0) return;
  throw new Refusal(`\`${words.join(' ')}\` ${describeExit(exit)}. Its log ends with${lastLines(log)}`);
}
