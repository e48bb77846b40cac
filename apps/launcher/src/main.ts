import { serverAccount } from './account.js';
import { openHome } from './home.js';
import { Interrupt } from './interrupt.js';
import { joinRunning } from './join.js';
import { readOptions, type Options } from './options.js';
import { Roster } from './roster.js';
import { runCommand } from './run.js';
import { Refusal, say } from './say.js';
import type { Ground } from './ground.js';
import { startProduct } from './start.js';

/** Answers the exit code. */
export async function launcher(argv: string[]): Promise<number> {
  try {
    return await onGround(joinRunning(readOptions(argv, process.env)));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message);
    return 1;
  }
}

async function onGround(options: Options): Promise<number> {
  const interrupt = new Interrupt();
  const account = serverAccount();
  const home = await openHome(options, account);
  const roster = new Roster(home.folder, home.temporary);
  const ground: Ground = { options, home, account, roster };
  try {
    const work = options.verb === 'start' ? startProduct(ground) : runCommand(ground);
    return await Promise.race([work, interrupt.asked.then(() => (options.verb === 'start' ? 0 : 130))]);
  } finally {
    await roster.close();
    home.close();
  }
}
