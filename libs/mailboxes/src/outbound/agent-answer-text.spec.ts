import { expect, it } from 'vitest';
import { ANSWER_ABOVE, answerIn } from './agent-answer-text.js';

const NOTICE = `> ${ANSWER_ABOVE}\n>\n> Ana Lima wrote:\n>\n> It burns.\n`;

it.each([
  [
    'above a quotation',
    `On it.\n\nOn Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}`,
    'On it.',
  ],
  ['above one whose beginning no program knows', `On it.\n\nEscribiste:\n${NOTICE}`, 'On it.\n\nEscribiste:'],
  ['below it', `On Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}\nOn it.`, 'On it.'],
  ['not at all', `On Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}`, ''],
  ['between its lines, where nobody can tell what is for whom', `${NOTICE}On it.\n> Please hurry.\n`, ''],
  [
    'with the address that is the agent’s own',
    'See support+a42.0123456789abcdef01234567@desk.test',
    'See support@desk.test',
  ],
])('what an agent wrote %s', (_, text, answer) => {
  expect(answerIn(text)).toBe(answer);
});
