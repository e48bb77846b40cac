import type { SeededChoices } from '#test/support/seeded-choices.js';

/** Stages of sending an email. `body` is before its end, `end` after the dot. */
export type Stage = 'greeting' | 'mail' | 'rcpt' | 'data' | 'body' | 'end';

export interface Trouble {
  readonly stage: Stage;
  /** The answer in place of the real one, `silence` for none, or `cut` to end the connection. */
  readonly says: string;
  /** After the dot: whether the server behind accepts the mail although the sender gets no answer. */
  readonly isKept: boolean;
}

const ANSWERS: Readonly<Record<Exclude<Stage, 'body'>, readonly string[]>> = {
  greeting: ['421 4.3.2 Closing', '451 4.3.0 Not now', '554 5.3.2 No service here'],
  mail: ['421 4.3.2 Closing', '451 4.3.0 Not now', '550 5.7.1 Not from you'],
  rcpt: ['421 4.3.2 Closing', '450 4.2.0 Greylisted', '451 4.3.0 Not now', '550 5.1.1 No such user'],
  data: ['421 4.3.2 Closing', '451 4.3.0 Not now', '550 5.7.1 No data'],
  end: ['421 4.3.2 Closing', '451 4.3.0 Disk full', '452 4.3.1 No room', '550 5.7.1 Looks like spam'],
};
const ANSWERED = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

const PERCENT = { answer: 8, silence: 1, cut: 4 };

export function drawTrouble(choices: SeededChoices): Trouble | null {
  const drawn = choices.between(0, 100);
  const isKept = choices.isLikely(0.5);
  const stage = choices.pick(ANSWERED);
  const answer = choices.pick(ANSWERS[stage]);
  if (drawn < PERCENT.answer) return { stage, says: answer, isKept: false };
  if (drawn < PERCENT.answer + PERCENT.silence) return { stage, says: 'silence', isKept };
  if (drawn > 100 - PERCENT.cut) return { stage: isKept || drawn > 98 ? 'end' : 'body', says: 'cut', isKept };
  return null;
}
