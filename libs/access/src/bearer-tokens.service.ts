import { Clock, Database, filter, systemStatement } from '#libs/database';
import type { AgentRole, Grant, Scope } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

/** Whoever stands behind a live token. */
export interface Principal extends Readonly<
  Pick<Grant, 'accountId' | 'agentId' | 'applicationId' | 'recordsWithoutRead'>
> {
  readonly grantId: string;
  readonly role: AgentRole;
  readonly scopes: readonly Scope[];
}

interface FoundPrincipal extends Principal {
  readonly useIsOld: boolean;
}

/** How exact "last used" is; each use within it writes nothing. */
const USE_GRAIN = '10 minutes';

/**
 * One round trip. Token, grant, agent and application are asked together on every request and nothing is cached, so
 * whatever ends one of them ends the token at once, in every process.
 */
const FIND = systemStatement(
  'bearer_find',
  'The token itself says whose account this is',
  `select g.account_id as "accountId", g.agent_id as "agentId", a.role, g.application_id as "applicationId",
     g.id as "grantId", t.scopes, g.records_without_read as "recordsWithoutRead",
     coalesce(g.last_used_at < $2::timestamptz - interval '${USE_GRAIN}', true) as "useIsOld"
   from tokens t
     join grants g on g.id = t.grant_id
     join agents a on a.id = g.agent_id and ${filter('a.account_id = g.account_id')}
     left join applications p on p.id = g.application_id
   where t.hash = $1 and t.kind in ('access', 'personal') and t.expires_at > $2 and g.revoked_at is null
     and a.state = 'active' and p.disabled_at is null`,
);

const NOTE_USE = systemStatement(
  'bearer_note_use',
  'Runs for the grant that was just found by its token',
  'update grants set last_used_at = $2 where id = $1',
);

@Injectable()
export class BearerTokensService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async authenticate(token: string): Promise<Principal | undefined> {
    const now = this.clock.now();
    const found = await this.database.system().row<FoundPrincipal>(FIND, [digest(token), now]);
    if (!found) return undefined;
    const { useIsOld, ...principal } = found;
    if (useIsOld) this.noteUse(principal.grantId, now);
    return principal;
  }

  /** Nobody waits for it, and losing it loses ten minutes of a date. */
  private noteUse(grantId: string, now: Date): void {
    this.database
      .system()
      .rows(NOTE_USE, [grantId, now])
      .catch(() => undefined);
  }
}
