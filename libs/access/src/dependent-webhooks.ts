import type { AccountTx, SystemConnection } from '#libs/database';

/** The webhooks that were made under a grant. The app provides what does this, in the transaction that ends the grant. */
export abstract class DependentWebhooks {
  abstract disableOfGrants(tx: AccountTx, grantIds: readonly string[], now: Date): Promise<void>;
  /** Says how many were on. */
  abstract disableOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<number>;
}
