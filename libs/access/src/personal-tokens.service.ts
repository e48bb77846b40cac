import { type AccountConnection, Clock, Database, accountStatement, isUuid, later, uuidAt } from '#libs/database';
import { type Grant, InvalidField, NotFound } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { GrantsService } from './grants.service.js';
import { validateScopes } from './scopes.js';
import { digest, randomToken } from './secrets.js';
import { validateName } from './email-and-name.js';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 365;

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

export interface PersonalToken extends Pick<Grant, 'id' | 'scopes' | 'createdAt' | 'lastUsedAt'> {
  readonly name: string;
  readonly agent: string;
  readonly expiresAt: Date;
}

const CREATE = accountStatement(
  'personal_token_create',
  `with granted as (
     insert into grants (id, account_id, agent_id, name, scopes, created_at)
     select $2, $1, a.id, $4, $5, $6 from agents a where a.account_id = $1 and a.id = $3
     returning id, scopes, created_at
   )
   insert into tokens (hash, kind, grant_id, scopes, issued_at, expires_at)
   select $7, 'personal', id, scopes, created_at, $8 from granted returning grant_id`,
);

const LIST = accountStatement(
  'personal_tokens_list',
  `select g.id, g.name, a.email as agent, g.scopes, g.created_at as "createdAt", g.last_used_at as "lastUsedAt",
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

  async create(db: AccountConnection, wanted: NewPersonalToken): Promise<IssuedPersonalToken> {
    const now = this.clock.now();
    const id = uuidAt(now);
    const name = validateName('name', wanted.name);
    const scopes = validateScopes(wanted.scopes);
    const expiresAt = later(now, acceptDays(wanted.days ?? LONGEST_DAYS) * DAY_MS);
    // Scanners for leaked secrets look for such beginnings.
    const token = `dwp_${randomToken()}`;
    const made = await db.row(CREATE, [id, wanted.agentId, name, scopes, now, digest(token), expiresAt]);
    if (!made) throw new NotFound('agent');
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
}

function acceptDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > LONGEST_DAYS)
    throw new InvalidField('days', 'invalid_lifetime', `A personal access token lives 1 to ${LONGEST_DAYS} days.`);
  return days;
}
