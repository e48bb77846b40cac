/** An error that the user can fix. It is printed as one sentence, without a stack. */
export class UserFacingError extends Error {
  name = 'UserFacingError';
}

export function say(message) {
  process.stderr.write(`deskwire: ${message}\n`);
}
