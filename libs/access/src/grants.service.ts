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
     where account_id = $1 and id = any ($2::uuid[]) and revoked_at is null
     returning id, application_id, agent_id
   ), stopped as (${stopWebhooks}), told as (
     insert into activities (id, account_id, kind, agent_id, subject, detail, created_at)
     select new_uuid_at($3), $1, 'application_revoked', $5, p.name, jsonb_build_object('access_of', a.email), $3
     from (select distinct application_id, agent_id from revoked) r
       join applications p on p.id = r.application_id join agents a on a.id = r.agent_id
     where $5::uuid is not null
   )
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
export class GrantsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Whatever was issued under them is dead in every process when this returns. Says which were alive. That somebody, `by`,
   * took access away from an application is noted.
   */
  async revoke(
    accountId: string,
    ids: readonly string[],
    { reason, by = null }: { reason: RevokedReason; by?: string | null },
  ): Promise<string[]> {
    const values = [ids, this.clock.now(), reason, by];
    const revoked = await this.database.account(accountId).rows<{ id: string }>(REVOKE, values);
    return revoked.map(({ id }) => id);
  }

  /** In a statement of its own: inside a transaction that then fails, the revocation would be undone. */
  async revokeById(id: string, reason: RevokedReason): Promise<void> {
    await this.database.system().rows(REVOKE_BY_TOKEN, [id, reason, this.clock.now()]);
  }
}
