import type { Mail } from '#libs/mail';

export interface CustomerCopy {
  readonly messageId: string;
  readonly to: string;
  readonly number: number;
  readonly title: string | null;
  readonly text: string;
  readonly agent: string;
  readonly account: string;
  readonly mailboxEmail: string;
  readonly tries: number;
  readonly createdAt: Date;
}

/** Plain text, because HTML that was written for a page looks different in each mail program. */
export function copyMail({ to, number, title, text, agent, account, mailboxEmail }: CustomerCopy): Mail {
  return {
    to,
    replyTo: mailboxEmail,
    subject: `[#${number}] ${oneLine(title) || `A message from ${oneLine(account)}`}`,
    text: `${text.trim()}\n\n${[agent, account].filter((name) => name !== '').join('\n')}\n`,
  };
}

const oneLine = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();
