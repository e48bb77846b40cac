import { type SystemConnection, filter, systemStatement, uuidAt } from '#libs/database';
import {
  AUDIENCES,
  type AgentRole,
  type Audience,
  type AuthorizationCode,
  type Grant,
  SCOPE_SETS,
  type Scope,
  type Token,
  scopeMembers,
} from '#libs/entities';
import { notifyEnded } from './session.statements.js';

export const ACCESS_SECONDS = 7200;
const REFRESH_SECONDS = 30 * 86_400;

const REASON = 'The code or token itself says whose account this is';

const ALIVE = `g.revoked_at is null and coalesce(g.expires_at > $3, true)
  and exists (select from agents a where a.id = g.agent_id and a.state = 'active')`;

/** The columns of a spent code or refresh token that its successors inherit. */
const INHERITED = 'grant_id, scopes, scope_requested, audiences, chain_id';

/**
 * Only one of several simultaneous requests succeeds. $1 digest of the code or token, $2 application, $3 now, $4 and $5
 * digests of the pair, $6 requested scopes, $7 requested audiences. No token outlives its grant.
 */
const issueFor = (spend: string): string => `
  with spent as (${spend}), issued as (
    insert into tokens (hash, kind, ${INHERITED}, issued_at, expires_at)
    select made.hash, made.kind, spent.grant_id,
      case made.kind when 'access' then coalesce($6::text[], spent.scopes) else spent.scopes end, spent.scope_requested,
      case made.kind when 'access' then coalesce($7::text[], spent.audiences) else spent.audiences end, spent.chain_id,
      $3::timestamptz, least($3::timestamptz + made.life, spent.until)
    from spent, (values
      ($4::bytea, 'access', interval '${ACCESS_SECONDS} s'),
      ($5::bytea, 'refresh', interval '${REFRESH_SECONDS} s')) made (hash, kind, life))
  select scopes, scope_requested as "scopeRequested", until as "grantExpiresAt" from spent`;

/** $8 redirect URI, $9 PKCE challenge, $10 id of the chain. */
const CONSUME_CODE = systemStatement(
  'code_consume',
  REASON,
  issueFor(`
    update authorization_codes c set consumed_at = $3 from grants g
    where c.hash = $1 and g.id = c.grant_id and ${filter('g.application_id = $2')} and ${ALIVE} and c.consumed_at is null
      and c.expires_at > $3 and c.redirect_uri = $8 and c.code_challenge is not distinct from $9
      and c.audiences @> coalesce($7::text[], '{}')
    returning c.grant_id, c.scopes, c.scope_requested, c.audiences, $10::uuid as chain_id, g.expires_at as until`),
);

export interface ConsumedCredential extends Pick<Token, 'scopes' | 'scopeRequested'> {
  readonly grantExpiresAt: Date | null;
}

interface Redemption {
  /** Digest of the code or refresh token. */
  readonly hash: Buffer;
  readonly applicationId: string;
  readonly pair: { readonly access: Buffer; readonly refresh: Buffer };
  /** Null for all that were granted. */
  readonly audiences: readonly Audience[] | null;
}

interface CodeRedemption extends Redemption {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

export function consumeCode(db: SystemConnection, redemption: CodeRedemption, now: Date) {
  const { hash, applicationId, pair, audiences, redirectUri, challenge } = redemption;
  const issue = [hash, applicationId, now, pair.access, pair.refresh, null, audiences];
  return db.row<ConsumedCredential>(CONSUME_CODE, [...issue, redirectUri, challenge, uuidAt(now)]);
}

/** Scopes with the members of their sets. */
const withMembers = (scopes: string): string =>
  Object.entries(SCOPE_SETS)
    .map(([set, members]) => `case when '${set}' = any(${scopes}) then '{${members.join(',')}}'::text[] end`)
    .reduce((list, part) => `${list} || ${part}`, scopes);

/** $8 the salt of the successors, $9 the members of the requested scopes. */
const CONSUME_REFRESH_TOKEN = systemStatement(
  'refresh_token_consume',
  REASON,
  issueFor(`
    update tokens r set consumed_at = $3, retry_salt = $8 from grants g
    where r.hash = $1 and r.kind = 'refresh' and g.id = r.grant_id and ${filter('g.application_id = $2')} and ${ALIVE}
      and r.consumed_at is null and r.expires_at > $3 and r.audiences @> coalesce($7::text[], '{}')
      and (${withMembers('r.scopes')}) @> coalesce($9::text[], '{}')
    returning r.grant_id, r.scopes, r.scope_requested, r.audiences, r.chain_id, g.expires_at as until`),
);

interface RefreshRedemption extends Redemption {
  /** Null for all that were granted. */
  readonly scopes: readonly string[] | null;
  readonly salt: Buffer;
}

export function consumeRefreshToken(db: SystemConnection, redemption: RefreshRedemption, now: Date) {
  const { hash, applicationId, pair, scopes, audiences, salt } = redemption;
  const issue = [hash, applicationId, now, pair.access, pair.refresh, scopes, audiences];
  return db.row<ConsumedCredential>(CONSUME_REFRESH_TOKEN, [...issue, salt, scopes && scopeMembers(scopes)]);
}

const FIND_CODE = systemStatement(
  'code_find',
  REASON,
  `select c.grant_id as "grantId", c.redirect_uri as "redirectUri", c.code_challenge as "codeChallenge",
     c.consumed_at as "consumedAt", c.audiences, g.account_id as "accountId"
   from authorization_codes c join grants g on g.id = c.grant_id where c.hash = $1 and g.application_id = $2`,
);

export type FoundCode = Pick<
  AuthorizationCode,
  'grantId' | 'redirectUri' | 'codeChallenge' | 'consumedAt' | 'audiences'
> &
  Pick<Grant, 'accountId'>;

export const findCode = (db: SystemConnection, hash: Buffer, applicationId: string): Promise<FoundCode | undefined> =>
  db.row<FoundCode>(FIND_CODE, [hash, applicationId]);

const FIND_TOKEN = systemStatement(
  'token_find',
  REASON,
  `select t.kind, t.grant_id as "grantId", t.scopes, t.issued_at as "issuedAt", t.expires_at as "expiresAt",
     t.consumed_at as "consumedAt", t.retry_salt as "retrySalt", t.scope_requested as "scopeRequested",
     t.audiences, t.chain_id as "chainId", g.expires_at as "grantExpiresAt", g.account_id as "accountId", a.name as "accountName", g.agent_id as "agentId",
     (t.expires_at > $3 and ${ALIVE}) as alive
   from tokens t join grants g on g.id = t.grant_id join accounts a on a.id = g.account_id where t.hash = $1 and g.application_id = $2`,
);

export type FoundToken = Omit<Token, 'hash'> &
  Pick<Grant, 'accountId' | 'agentId'> & {
    readonly accountName: string;
    readonly alive: boolean;
    readonly grantExpiresAt: Date | null;
  };

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

const END_CHAIN = systemStatement(
  'token_end_chain',
  'Runs for a token that its own application has just shown',
  `with ended as (
     delete from tokens where grant_id = $1 and chain_id is not distinct from $2 returning ${notifyEnded('grant_id')}
   )
   select (select count(*) from ended)::int as ended, not exists (
     select from tokens t where t.grant_id = $1 and t.chain_id is distinct from $2 and t.consumed_at is null
       and t.expires_at > $3) and not exists (
     select from authorization_codes where grant_id = $1 and consumed_at is null and expires_at > $3) as "isLast"`,
);

/** Ends the tokens that descend from one code. Returns whether the grant has no others, and no open code. */
export async function endChain(
  db: SystemConnection,
  { grantId, chainId }: Pick<Token, 'grantId' | 'chainId'>,
  now: Date,
): Promise<boolean> {
  const { ended, isLast } = (await db.row<{ ended: number; isLast: boolean }>(END_CHAIN, [grantId, chainId, now]))!;
  // Again, because the statement does not see the tokens of a refresh for which it waited.
  return ended === 0 || isLast ? isLast : endChain(db, { grantId, chainId }, now);
}

/** The precision of "last used": further uses within it write nothing. */
const USE_GRAIN = '10 minutes';

/** Nothing is cached, so ending a token, grant, agent or application works at once. */
const FIND_PRINCIPAL = systemStatement(
  'bearer_find',
  'The token itself says whose account this is',
  `select g.account_id as "accountId", g.agent_id as "agentId", a.role, g.application_id as "applicationId", p.client_id as "clientId",
     g.id as "grantId", t.scopes, case t.kind when 'personal' then '{${AUDIENCES.join(',')}}' else t.audiences end as audiences,
     coalesce(g.last_used_at < $2::timestamptz - interval '${USE_GRAIN}', true) as "useIsOld"
   from tokens t
     join grants g on g.id = t.grant_id
     join agents a on a.id = g.agent_id and ${filter('a.account_id = g.account_id')}
     left join applications p on p.id = g.application_id
   where t.hash = $1 and t.kind in ('access', 'personal') and t.expires_at > $2 and g.revoked_at is null
     and coalesce(g.expires_at > $2, true)
     and a.state = 'active' and p.disabled_at is null`,
);

export interface Principal extends Readonly<Pick<Grant, 'accountId' | 'agentId' | 'applicationId'>> {
  /** Null for personal access tokens. */
  readonly clientId: string | null;
  readonly grantId: string;
  readonly role: AgentRole;
  readonly scopes: readonly Scope[];
  readonly audiences: readonly Audience[];
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
