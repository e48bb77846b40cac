import { reportError } from './report-error.js';
import { createProgram } from './program.js';

/** 0 done · 1 refused or failed · 2 wrong usage · 3 (`migrate status`) something is missing · 4 (`queue drain`) something is left. */
export async function start(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
