export interface SignedBy {
  /** May be empty. */
  readonly agent: string;
  readonly account: string;
  readonly mailbox: string;
  readonly agentSignature: string;
  readonly mailboxSignature: string;
}

/** Other text in braces is left unchanged. */
const PLACEHOLDER = /\{\{(agent|mailbox|account)\}\}/g;

/** The agent's signature, or their name, stands above that of the mailbox, or the account's name. */
export function signatureOf(by: SignedBy): string {
  const filled = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (_, name: 'agent' | 'mailbox' | 'account') => by[name]).trim();
  return [filled(by.agentSignature) || by.agent, filled(by.mailboxSignature) || by.account]
    .filter((part) => part !== '')
    .join('\n');
}
