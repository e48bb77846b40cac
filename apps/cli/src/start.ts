import { reportError } from './report-error.js';
import { createProgram } from './program.js';

/** Exit codes: 0 done · 1 refused or failed · 2 wrong usage · 3 (`migrate status`) migrations are pending · 4 (`queue drain`) deliveries remain. */
export async function start(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
