import { replyText } from '#libs/payloads';
import { withoutAgentTokens } from '../inbound/agent-reply-addresses.service.js';

/** Stands in every notice, above all that an answer quotes of it. */
export const ANSWER_ABOVE = '=== Write your answer above this line ===';

/** What an agent wrote for the customer: nothing of the notice, which is for agents. */
export function answerIn(text: string): string {
  const written = replyText(text);
  const mark = written.indexOf(ANSWER_ABOVE);
  return withoutAgentTokens(mark < 0 ? written : above(written, mark)).trim();
}

/**
 * The lines above the mark, before which signs of quotation may stand, without the one that begins the quotation. A line of ours
 * stands before them: what is nothing but a quotation would be taken whole.
 */
function above(text: string, mark: number): string {
  const lines = text.slice(0, text.lastIndexOf('\n', mark) + 1);
  return replyText(`${ANSWER_ABOVE}\n\n${lines}`).slice(ANSWER_ABOVE.length);
}
