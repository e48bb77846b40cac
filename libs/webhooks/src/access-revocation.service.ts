import { type AccountTx, type SystemConnection, accountStatement, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';

const DISABLE = "set state = 'disabled', disabled_reason = 'access_revoked'";

const DISABLE_OF_GRANTS = accountStatement(
  'webhooks_disable_of_grants',
  `update webhooks ${DISABLE}, updated_at = $3
   where account_id = $1 and grant_id = any($2::uuid[]) and state <> 'disabled'`,
);

const DISABLE_OF_APPLICATION = systemStatement(
  'webhooks_disable_of_application',
  'An application belongs to the operator and has webhooks in many accounts',
  `update webhooks ${DISABLE}, updated_at = $2 where application_id = $1 and state <> 'disabled' returning id`,
);

/** No webhook outlives the access it was made with. What is owed to them, upkeep cancels. */
@Injectable()
export class AccessRevocationService {
  async disableOfGrants(tx: AccountTx, grantIds: readonly string[], now: Date): Promise<void> {
    await tx.rows(DISABLE_OF_GRANTS, [grantIds, now]);
  }

  /** Says how many were on. */
  async disableOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<number> {
    return (await tx.rows(DISABLE_OF_APPLICATION, [applicationId, now])).length;
  }
}
