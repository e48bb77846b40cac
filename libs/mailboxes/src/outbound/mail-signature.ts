export interface SignedBy {
  /** The name of the agent, which may be empty. */
  readonly agent: string;
  readonly account: string;
  readonly mailbox: string;
  readonly agentSignature: string;
  readonly mailboxSignature: string;
}

/** What a signature may say of whoever writes: `{{agent}}`, `{{mailbox}}` and `{{account}}`. Everything else stays as it is written. */
const PLACEHOLDER = /\{\{(agent|mailbox|account)\}\}/g;

/**
 * What stands below a reply: what the agent has set, or their name, and below it what the mailbox has set, or the name of the
 * account. As text.
 */
export function signatureOf(by: SignedBy): string {
  const filled = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (_, name: 'agent' | 'mailbox' | 'account') => by[name]).trim();
  return [filled(by.agentSignature) || by.agent, filled(by.mailboxSignature) || by.account]
    .filter((part) => part !== '')
    .join('\n');
}
