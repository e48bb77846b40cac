import type { AccountTx } from '#libs/database';

/** Sessions and tokens of an agent. The app implements it, so that archiving ends them in one transaction. */
export abstract class AgentAccess {
  /** Ends all of them for good. */
  abstract end(tx: AccountTx, agentId: string, now: Date): Promise<void>;
}
