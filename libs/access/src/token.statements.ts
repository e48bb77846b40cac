import { type SystemConnection, filter, systemStatement } from '#libs/database';
import type { AgentRole, AuthorizationCode, Grant, Scope, Token } from '#libs/entities';
import { notifyEnded } from './session.statements.js';

export const ACCESS_SECONDS = 7200;
const REFRESH_SECONDS = 30 * 86_400;

const REASON = 'The code or token itself says whose account this is';

const ALIVE = `g.revoked_at is null and exists (select from agents a where a.id = g.agent_id and a.state = 'active')`;

/** Only one of several simultaneous requests succeeds. $1 digest of the code or token, $2 application, $3 now, $4 and $5 digests of the pair, $6 requested scopes. */
const issueFor = (spend: string): string => `
  with spent as (${spend}), issued as (
    insert into tokens (hash, kind, grant_id, scopes, issued_at, expires_at)
    select made.hash, made.kind, spent.grant_id,
      case made.kind when 'access' then coalesce($6::text[], spent.scopes) else spent.scopes end,
      $3::timestamptz, $3::timestamptz + made.life
    from spent, (values
      ($4::bytea, 'access', interval '${ACCESS_SECONDS} s'),
      ($5::bytea, 'refresh', interval '${REFRESH_SECONDS} s')) made (hash, kind, life))
  select scopes, scope_requested as "scopeRequested" from spent`;

/** $7 redirect URI, $8 PKCE challenge. */
const CONSUME_CODE = systemStatement(
  'code_consume',
  REASON,
  issueFor(`
    update authorization_codes c set consumed_at = $3 from grants g
    where c.hash = $1 and g.id = c.grant_id and g.application_id = $2 and ${ALIVE} and c.consumed_at is null
      and c.expires_at > $3 and c.redirect_uri = $7 and c.code_challenge is not distinct from $8
    returning c.grant_id, g.scopes, g.scope_requested`),
);

type ConsumedCredential = Pick<Grant, 'scopes' | 'scopeRequested'>;

interface Redemption {
  /** Digest of the code or refresh token. */
  readonly hash: Buffer;
  readonly applicationId: string;
  readonly pair: HashedPair;
}

interface HashedPair {
  readonly access: Buffer;
  readonly refresh: Buffer;
}

interface CodeRedemption extends Redemption {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

export function consumeCode(db: SystemConnection, redemption: CodeRedemption, now: Date) {
  const { hash, applicationId, pair, redirectUri, challenge } = redemption;
  const values = [hash, applicationId, now, pair.access, pair.refresh, null, redirectUri, challenge];
  return db.row<ConsumedCredential>(CONSUME_CODE, values);
}

/** $7 the salt of the successors. */
const CONSUME_REFRESH_TOKEN = systemStatement(
  'refresh_token_consume',
  REASON,
  issueFor(`
    update tokens r set consumed_at = $3, retry_salt = $7 from grants g
    where r.hash = $1 and r.kind = 'refresh' and g.id = r.grant_id and g.application_id = $2 and ${ALIVE}
      and r.consumed_at is null and r.expires_at > $3 and r.scopes @> coalesce($6::text[], '{}')
    returning r.grant_id, r.scopes, g.scope_requested`),
);

interface RefreshRedemption extends Redemption {
  readonly scopes: readonly string[] | null;
  readonly salt: Buffer;
}

export function consumeRefreshToken(db: SystemConnection, redemption: RefreshRedemption, now: Date) {
  const { hash, applicationId, pair, scopes, salt } = redemption;
  const values = [hash, applicationId, now, pair.access, pair.refresh, scopes, salt];
  return db.row<ConsumedCredential>(CONSUME_REFRESH_TOKEN, values);
}

const FIND_CODE = systemStatement(
  'code_find',
  REASON,
  `select c.grant_id as "grantId", c.redirect_uri as "redirectUri", c.code_challenge as "codeChallenge",
     c.consumed_at as "consumedAt", g.account_id as "accountId"
   from authorization_codes c join grants g on g.id = c.grant_id where c.hash = $1 and g.application_id = $2`,
);

export type FoundCode = Pick<AuthorizationCode, 'grantId' | 'redirectUri' | 'codeChallenge' | 'consumedAt'> &
  Pick<Grant, 'accountId'>;

export const findCode = (db: SystemConnection, hash: Buffer, applicationId: string): Promise<FoundCode | undefined> =>
  db.row<FoundCode>(FIND_CODE, [hash, applicationId]);

const FIND_TOKEN = systemStatement(
  'token_find',
  REASON,
  `select t.kind, t.grant_id as "grantId", t.scopes, t.issued_at as "issuedAt", t.expires_at as "expiresAt",
     t.consumed_at as "consumedAt", t.retry_salt as "retrySalt", g.scope_requested as "scopeRequested",
     g.account_id as "accountId", a.name as "accountName", g.agent_id as "agentId",
     (t.expires_at > $3 and ${ALIVE}) as alive
   from tokens t join grants g on g.id = t.grant_id join accounts a on a.id = g.account_id where t.hash = $1 and g.application_id = $2`,
);

export type FoundToken = Omit<Token, 'hash'> &
  Pick<Grant, 'accountId' | 'agentId' | 'scopeRequested'> & { readonly accountName: string; readonly alive: boolean };

export const findToken = (
  db: SystemConnection,
  { hash, applicationId }: Pick<Redemption, 'hash' | 'applicationId'>,
  now: Date,
): Promise<FoundToken | undefined> => db.row<FoundToken>(FIND_TOKEN, [hash, applicationId, now]);

const DELETE_TOKEN = systemStatement(
  'token_delete',
  'Runs for a token that its own application has just shown',
  `delete from tokens where hash = $1 returning ${notifyEnded('grant_id')}`,
);

export async function deleteToken(db: SystemConnection, hash: Buffer): Promise<void> {
  await db.rows(DELETE_TOKEN, [hash]);
}

/** The precision of "last used": further uses within it write nothing. */
const USE_GRAIN = '10 minutes';

/** Nothing is cached, so ending a token, grant, agent or application works at once. */
const FIND_PRINCIPAL = systemStatement(
  'bearer_find',
  'The token itself says whose account this is',
  `select g.account_id as "accountId", g.agent_id as "agentId", a.role, g.application_id as "applicationId",
     g.id as "grantId", t.scopes,
     coalesce(g.last_used_at < $2::timestamptz - interval '${USE_GRAIN}', true) as "useIsOld"
   from tokens t
     join grants g on g.id = t.grant_id
     join agents a on a.id = g.agent_id and ${filter('a.account_id = g.account_id')}
     left join applications p on p.id = g.application_id
   where t.hash = $1 and t.kind in ('access', 'personal') and t.expires_at > $2 and g.revoked_at is null
     and a.state = 'active' and p.disabled_at is null`,
);

export interface Principal extends Readonly<Pick<Grant, 'accountId' | 'agentId' | 'applicationId'>> {
  readonly grantId: string;
  readonly role: AgentRole;
  readonly scopes: readonly Scope[];
}

type FoundPrincipal = Principal & { readonly useIsOld: boolean };

export const findPrincipal = (db: SystemConnection, hash: Buffer, now: Date): Promise<FoundPrincipal | undefined> =>
  db.row<FoundPrincipal>(FIND_PRINCIPAL, [hash, now]);

/** To run with the first statement of a transaction. */
export const principalQuery = (hash: Buffer, now: Date) => ({
  name: FIND_PRINCIPAL.name,
  text: FIND_PRINCIPAL.text,
  values: [hash, now],
});

const NOTE_GRANT_USE = systemStatement(
  'bearer_note_use',
  'Runs for the grant that was just found by its token',
  'update grants set last_used_at = $2 where id = $1',
);

export async function noteGrantUse(db: SystemConnection, grantId: string, now: Date): Promise<void> {
  await db.rows(NOTE_GRANT_USE, [grantId, now]);
}
