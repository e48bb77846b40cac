import { Clock, Transactions, accountStatement, uuidAt } from '#libs/database';
import type { AuthorizationCode, Grant, Scope } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { GrantsService } from './grants.service.js';
import { digest, randomToken } from './secrets.js';

const CODE_SECONDS = 60;

interface Consent
  extends Pick<Grant, 'agentId' | 'scopeRequested'>, Pick<AuthorizationCode, 'redirectUri' | 'codeChallenge'> {
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
}

/** An application that a person has let in, however often. */
export interface AuthorisedApplication {
  readonly applicationId: string;
  readonly name: string;
  readonly agentId: string;
  readonly agent: string;
  readonly scopes: readonly Scope[];
  /** It receives records through webhooks, though it was given no permission to read. */
  readonly recordsWithoutRead: boolean;
  readonly since: Date;
  readonly lastUsedAt: Date | null;
  readonly webhooks: number;
}

const GRANT = accountStatement(
  'consent_grant',
  `with granted as (
     insert into grants (id, account_id, agent_id, application_id, scopes, scope_requested, created_at)
     values ($2, $1, $3, $4, $5, $6, $7) returning id
   )
   insert into authorization_codes (hash, grant_id, redirect_uri, code_challenge, expires_at)
   select $8, id, $9, $10, $7::timestamptz + interval '${CODE_SECONDS} s' from granted
   returning (select name from applications where id = $4) as application`,
);

/** Leaves out consents that give nothing: no live token, and no webhook that is on. */
const LIST = accountStatement(
  'consents_list',
  `select p.id as "applicationId", p.name, a.id as "agentId", a.email as agent,
     array(select distinct unnest(scopes) from grants where id = any (array_agg(g.id))) as scopes,
     bool_or(g.records_without_read) and not bool_or('read' = any(g.scopes)) as "recordsWithoutRead",
     min(g.created_at) as since, max(g.last_used_at) as "lastUsedAt",
     (select count(*)::int from webhooks w where w.grant_id = any (array_agg(g.id)) and w.state <> 'disabled') as webhooks
   from grants g join applications p on p.id = g.application_id join agents a on a.id = g.agent_id
     cross join lateral (
       select from tokens t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > $3
       union all
       select from webhooks w where w.account_id = $1 and w.grant_id = g.id and w.state <> 'disabled'
       limit 1) gives
   where g.account_id = $1 and g.revoked_at is null and ($2::uuid is null or g.agent_id = $2)
   group by p.id, p.name, a.id, a.email order by p.name, a.email`,
);

const GRANTS_OF = accountStatement(
  'consents_of_application',
  `select id from grants
   where account_id = $1 and application_id = $2 and ($3::uuid is null or agent_id = $3) and revoked_at is null`,
);

@Injectable()
export class ConsentsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly grants: GrantsService,
  ) {}

  /** Returns the authorization code. */
  async grant(accountId: string, consent: Consent): Promise<string> {
    const code = randomToken();
    const { agentId, applicationId, scopes, scopeRequested, redirectUri, codeChallenge } = consent;
    await this.transactions.run({ accountId }, async (tx, now) => {
      const grant = [uuidAt(now), agentId, applicationId, scopes, scopeRequested, now];
      const values = [...grant, digest(code), redirectUri, codeChallenge];
      const { application } = (await tx.row<{ application: string }>(GRANT, values))!;
      const description = { ticketId: null, subject: application, detail: { scopes } };
      const actor = { agentId, applicationId: null, requestId: null };
      await insertActivity(tx, actor, { kind: 'application_authorised', ...description }, now);
    });
    return code;
  }

  /** Of one agent, or, for those who manage the account, of all of its agents. */
  list(accountId: string, agentId?: string): Promise<AuthorisedApplication[]> {
    return this.transactions
      .account({ accountId })
      .rows<AuthorisedApplication>(LIST, [agentId ?? null, this.clock.now()]);
  }

  /**
   * The agent `by` takes the application's access away, everywhere at once; its webhooks stop. `grantedBy` narrows it to
   * what one agent granted. Says how many grants that were.
   */
  async withdraw(
    accountId: string,
    applicationId: string,
    { by, grantedBy }: { readonly by: string; readonly grantedBy?: string | undefined },
  ): Promise<number> {
    const values = [applicationId, grantedBy ?? null];
    const found = await this.transactions.account({ accountId }).rows<{ id: string }>(GRANTS_OF, values);
    const ids = found.map(({ id }) => id);
    return this.grants.revoke(accountId, ids, { reason: 'person', by });
  }
}
