import { expect, it } from 'vitest';
import { REPLY_MARK, replyIn } from './agent-reply.js';

const NOTICE = `> ${REPLY_MARK}\n>\n> Ana Lima wrote:\n>\n> It burns.\n`;

it.each([
  [
    'a text above a quotation',
    `On it.\n\nOn Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}`,
    'On it.',
  ],
  [
    'a text above a quotation without a known introduction',
    `On it.\n\nEscribiste:\n${NOTICE}`,
    'On it.\n\nEscribiste:',
  ],
  [
    'a text below the quotation',
    `On Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}\nOn it.`,
    'On it.',
  ],
  ['nothing but a quotation', `On Mon, 3 Mar 2025 at 10:11, Ana Lima <support@desk.test> wrote:\n${NOTICE}`, ''],
  ['a text between the quoted lines, which is ambiguous', `${NOTICE}On it.\n> Please hurry.\n`, ''],
])('extracts the reply from %s', (_, text, answer) => {
  expect(replyIn(text)).toBe(answer);
});
