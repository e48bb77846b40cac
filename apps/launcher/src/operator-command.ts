import fs from 'node:fs';
import path from 'node:path';
import { logFolder } from './work-directory.js';
import { describeExit, lastLines, spawnProgram, rotateLog } from './program.js';
import { UserFacingError } from './terminal.js';
import type { LaunchContext } from './launch-context.js';

/** Runs an operator's command. Its output goes to a log, and an error quotes the end of what it has said. */
export async function runOperatorCommand(
  context: LaunchContext,
  environment: NodeJS.ProcessEnv,
  words: string[],
): Promise<void> {
  const log = rotateLog(path.join(logFolder(context.workDirectory.folder), 'cli.log'));
  const before = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const exit = await spawnProgram(
    {
      name: words[0] ?? '',
      file: process.execPath,
      args: ['dist/cli.js', ...words],
      environment,
      log,
    },
    context.processes,
  ).exited;
  if (exit.code === 0) return;
  throw new UserFacingError(
    `\`${words.join(' ')}\` ${describeExit(exit)}. It says${lastLines(log, { after: before })}`,
  );
}
