import type { AccountTx, SystemConnection } from '#libs/database';

/** `makerId` also ends the webhooks that this agent made without a grant. */
type EndedAccess = { readonly grantIds: readonly string[]; readonly makerId?: string };

/** Disables webhooks. The app provides it, because this library cannot import webhooks. */
export abstract class DependentWebhooks {
  abstract disableOfAccess(tx: AccountTx, ended: EndedAccess, now: Date): Promise<void>;
  abstract disableOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<number>;
}
