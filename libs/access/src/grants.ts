import { Clock, Database, accountStatement, systemStatement } from '#libs/database';
import type { RevokedReason } from '#libs/entities';
import { Injectable } from '@nestjs/common';

/** The grant's end and the end of its webhooks are one statement: no webhook outlives the access it was made with. */
const stopWebhooks = `
  update webhooks set state = 'disabled', disabled_reason = 'access_revoked', updated_at = $3
  where grant_id in (select id from revoked) and state <> 'disabled'`;

const REVOKE = accountStatement(
  'grants_revoke',
  `with revoked as (
     update grants set revoked_at = $3, revoked_reason = $4
     where account_id = $1 and id = any ($2::uuid[]) and revoked_at is null returning id
   ), stopped as (${stopWebhooks})
   select id from revoked`,
);

const REVOKE_BY_TOKEN = systemStatement(
  'grant_revoke_found',
  'Runs for the grant of a code or token that its own application has just shown',
  `with revoked as (
     update grants set revoked_at = $3, revoked_reason = $2 where id = $1 and revoked_at is null returning id
   ), stopped as (${stopWebhooks})
   select id from revoked`,
);

@Injectable()
export class Grants {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Whatever was issued under them is dead in every process when this returns. Says which were alive. */
  async revoke(accountId: string, ids: readonly string[], reason: RevokedReason): Promise<string[]> {
    const now = this.clock.now();
    const revoked = await this.database.account(accountId).rows<{ id: string }>(REVOKE, [ids, now, reason]);
    return revoked.map(({ id }) => id);
  }

  /** In a statement of its own: inside a transaction that then fails, the revocation would be undone. */
  async revokeFound(id: string, reason: RevokedReason): Promise<void> {
    await this.database.system().rows(REVOKE_BY_TOKEN, [id, reason, this.clock.now()]);
  }
}
