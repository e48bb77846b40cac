/** Something the person at the keyboard can change, told in one sentence and without a stack. */
export class Refusal extends Error {
  name = 'Refusal';
}

export function say(message) {
  process.stderr.write(`deskwire: ${message}\n`);
}
