import { replyText } from '#libs/payloads';

export interface AgentReply {
  readonly agentEmail: string;
  readonly number: number;
  readonly text: string;
}

export const REPLY_MARK = '=== Write your reply above this line ===';

/** Drops the notice, which is for agents. */
export function replyIn(text: string): string {
  const written = replyText(text);
  const mark = written.indexOf(REPLY_MARK);
  return (mark < 0 ? written : textAbove(written, mark)).trim();
}

/** `replyText` keeps a text that is only a quotation, so a line is put before it. */
function textAbove(text: string, mark: number): string {
  const lines = text.slice(0, text.lastIndexOf('\n', mark) + 1);
  return replyText(`${REPLY_MARK}\n\n${lines}`).slice(REPLY_MARK.length);
}
