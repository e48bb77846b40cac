/** Something the person at the keyboard can mend. It is printed as one sentence, without a stack. */
export class Refusal extends Error {
  name = 'Refusal';
}

export function say(message) {
  process.stderr.write(`deskwire: ${message}\n`);
}
