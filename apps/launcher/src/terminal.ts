/** Progress goes to the error stream: the output belongs to the command that is run. */
export function printProgress(message: string): void {
  process.stderr.write(`deskwire: ${message}\n`);
}

/** Something the person at the keyboard can change, told in one sentence and without a stack. */
export class UserFacingError extends Error {
  override readonly name = 'Refusal';
}
