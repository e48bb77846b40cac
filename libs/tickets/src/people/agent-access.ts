import type { AccountTx } from '#libs/database';

/** What an agent may use to get in. The app provides what does this, in the transaction that archives the agent. */
export abstract class AgentAccess {
  /** For good: whoever comes back signs in again and asks for new tokens. */
  abstract end(tx: AccountTx, agentId: string, now: Date): Promise<void>;
}
