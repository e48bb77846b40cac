import { type AccountTx, Clock, Database, accountStatement, filter, isUuid, later, uuidAt } from '#libs/database';
import { Conflict, type Grant, InvalidField, NotFound } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { GrantsService } from './grants.service.js';
import { validateScopes } from './scopes.js';
import { digest, randomToken } from './secrets.js';
import { validateName } from './email-and-name.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 365;
/** Enough for one for each script. Each is one more credential that can leak. */
const MAX_LIVE = 50;

interface NewPersonalToken {
  readonly agentId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly days?: number | undefined;
}

/** The token is seen here and never again. */
interface IssuedPersonalToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
}

export interface PersonalToken extends Pick<
  Grant,
  'id' | 'scopes' | 'recordsWithoutRead' | 'createdAt' | 'lastUsedAt'
> {
  readonly name: string;
  readonly agent: string;
  readonly expiresAt: Date;
}

const CREATE = accountStatement(
  'personal_token_create',
  `with granted as (
     insert into grants (id, account_id, agent_id, name, scopes, created_at)
     select $2, $1, a.id, $4, $5, $6 from agents a where a.id = $3 and ${filter('a.account_id = $1')}
     returning id, scopes, created_at
   )
   insert into tokens (hash, kind, grant_id, scopes, issued_at, expires_at)
   select $7, 'personal', id, scopes, created_at, $8 from granted returning grant_id`,
);

/** Whoever else makes a token for this agent waits from here until the end of the transaction. */
const LOCK_AGENT = accountStatement(
  'personal_token_lock_agent',
  `select id from agents where id = $2 and ${filter('account_id = $1')} for no key update`,
);

const COUNT_LIVE = accountStatement(
  'personal_token_count',
  `select count(*)::int as count from grants g join tokens t on t.grant_id = g.id
   where g.account_id = $1 and g.agent_id = $2 and g.application_id is null and g.revoked_at is null
     and t.expires_at > $3`,
);

const LIST = accountStatement(
  'personal_tokens_list',
  `select g.id, g.name, a.email as agent, g.scopes, g.records_without_read as "recordsWithoutRead", g.created_at as "createdAt",
     g.last_used_at as "lastUsedAt",
     t.expires_at as "expiresAt"
   from grants g join agents a on a.id = g.agent_id join tokens t on t.grant_id = g.id
   where g.account_id = $1 and g.application_id is null and g.revoked_at is null and t.expires_at > $2
     and ($3::uuid is null or g.agent_id = $3)
   order by g.id`,
);

/** Tokens that people make for their own scripts. */
@Injectable()
export class PersonalTokensService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly grants: GrantsService,
  ) {}

  async create(tx: AccountTx, wanted: NewPersonalToken): Promise<IssuedPersonalToken> {
    const now = this.clock.now();
    const id = uuidAt(now);
    const name = validateName('name', wanted.name);
    const scopes = validateScopes(wanted.scopes);
    const expiresAt = later(now, acceptDays(wanted.days ?? MAX_DAYS) * DAY_MS);
    // Scanners for leaked secrets look for such beginnings.
    const token = `dwp_${randomToken()}`;
    await this.refuseTooMany(tx, wanted.agentId, now);
    await tx.rows(CREATE, [id, wanted.agentId, name, scopes, now, digest(token), expiresAt]);
    return { id, token, expiresAt };
  }

  /** The live ones of one agent, or of the whole account. */
  list(accountId: string, agentId?: string): Promise<PersonalToken[]> {
    return this.database.account(accountId).rows<PersonalToken>(LIST, [this.clock.now(), agentId ?? null]);
  }

  /** Only one's own, unless no agent is named. */
  async revoke(accountId: string, id: string, by: 'person' | 'operator', agentId?: string): Promise<void> {
    const listed = isUuid(id) && (await this.list(accountId, agentId)).some((token) => token.id === id);
    if (!listed) throw new NotFound('token');
    await this.grants.revoke(accountId, [id], { reason: by });
  }

  private async refuseTooMany(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    if (!(await tx.row(LOCK_AGENT, [agentId]))) throw new NotFound('agent');
    const live = await tx.row<{ count: number }>(COUNT_LIVE, [agentId, now]);
    if (live && live.count >= MAX_LIVE)
      throw new Conflict(
        'too_many_tokens',
        `You have ${MAX_LIVE} personal access tokens. Revoke one you no longer use.`,
      );
  }
}

function acceptDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidField('days', 'invalid_lifetime', `A personal access token lives 1 to ${MAX_DAYS} days.`);
  return days;
}
