/** Progress goes to the error stream: the output belongs to the command that is run. */
export function printProgress(message: string): void {
  process.stderr.write(`deskwire: ${message}\n`);
}

/** Something that the user can mend. It is printed as one sentence, without a stack. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}
