/** Progress goes to standard error: standard output belongs to the command. */
export function printProgress(message: string): void {
  process.stderr.write(`deskwire: ${message}\n`);
}

/** An error that the user can fix. It is printed as one sentence, without a stack. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';
}
