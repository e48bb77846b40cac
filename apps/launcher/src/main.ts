import { serverUser } from './system-user.js';
import { develop } from './develop.js';
import { openWorkDirectory } from './work-directory.js';
import { Interrupt } from './interrupt.js';
import { joinRunningInstance } from './running-instance.js';
import { readOptions, type Options } from './options.js';
import { ProcessRegistry } from './process-registry.js';
import { runCommand } from './run.js';
import { UserFacingError, printProgress } from './terminal.js';
import type { LaunchContext } from './launch-context.js';
import { startProduct } from './start.js';

const WORK = { start: startProduct, dev: develop, run: runCommand };

/** Returns the exit code. */
export async function launcher(argv: string[]): Promise<number> {
  try {
    return await withLaunchContext(joinRunningInstance(readOptions(argv, process.env)));
  } catch (error) {
    if (!(error instanceof UserFacingError)) throw error;
    printProgress(error.message);
    return 1;
  }
}

async function withLaunchContext(options: Options): Promise<number> {
  const interrupt = new Interrupt();
  const account = serverUser();
  const workDirectory = await openWorkDirectory(options, account);
  const processes = new ProcessRegistry(workDirectory.folder, workDirectory.temporary);
  const context: LaunchContext = { options, workDirectory, serverUser: account, processes };
  try {
    const work = WORK[options.verb](context);
    return await Promise.race([work, interrupt.requested.then(() => (options.verb === 'run' ? 130 : 0))]);
  } finally {
    await processes.close();
    workDirectory.close();
  }
}
