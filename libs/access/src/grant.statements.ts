import {
  type AccountConnection,
  type AccountTx,
  type SystemConnection,
  accountStatement,
  systemStatement,
  uuidAt,
} from '#libs/database';
import type { Application, Audience, AuthorizationCode, Grant, RevokedReason, Scope } from '#libs/entities';
import { queueMailsSql } from '#libs/mail';
import { notifyEnded } from './session.statements.js';

const FIND_CLIENT = systemStatement(
  'client_find',
  'A client authenticates before its account is known',
  `select id, client_id as "clientId", maker_account_id as "makerAccountId", name, home_page as "homePage",
     redirect_uris as "redirectUris", scopes, secret_hash as "secretHash",
     case when previous_secret_expires_at > $2 then previous_secret_hash end as "previousSecretHash",
     approved_at as "approvedAt", metadata_expires_at as "metadataExpiresAt",
     case when previous_secret_expires_at > $2 then previous_secret_used_at end as "previousSecretUsedAt",
     secret_used_at as "secretUsedAt"
   from applications where client_id = $1 and disabled_at is null`,
);

export type OAuthClient = Omit<
  Application,
  'previousSecretExpiresAt' | 'disabledAt' | 'disabledByOperator' | 'deleted' | 'createdAt' | 'updatedAt'
>;

export const findClient = (db: SystemConnection, clientId: string, now: Date): Promise<OAuthClient | undefined> =>
  db.row<OAuthClient>(FIND_CLIENT, [clientId, now]);

const CODE_SECONDS = 60;

/**
 * Extends the grant that the person has given the application. One that expired ends, so that its tokens stay dead. With
 * the notice $8, emails the person and the owners.
 */
const EXTEND_GRANT = accountStatement(
  'consent_grant',
  `with expired as (
     update grants set revoked_at = $7, revoked_reason = 'expired'
     where account_id = $1 and agent_id = $3 and application_id = $4 and revoked_at is null and expires_at <= $7
     returning id
   ), notice as (
     ${queueMailsSql(
       'access_notice',
       `select $1::uuid, a.email, $8::jsonb || jsonb_build_object('agent', g.email, 'application', p.name), $7::timestamptz
        from agents a join agents g on g.id = $3 join applications p on p.id = $4
        where a.account_id = $1 and a.state = 'active' and (a.id = $3 or a.role = 'owner') and $8::jsonb is not null`,
     )}
   )
   insert into grants as g (id, account_id, agent_id, application_id, scopes, expires_at, created_at)
   select $2::uuid, $1::uuid, $3::uuid, $4::uuid, $5::text[], $6::timestamptz, $7::timestamptz
   from (select count(*) from expired) first
   on conflict (account_id, agent_id, application_id) where application_id is not null and revoked_at is null
   do update set expires_at = excluded.expires_at, scopes = array(select distinct unnest(g.scopes || excluded.scopes))
   returning id`,
);

export interface Consent
  extends
    Pick<Grant, 'agentId' | 'expiresAt'>,
    Omit<AuthorizationCode, 'hash' | 'grantId' | 'expiresAt' | 'consumedAt' | 'scopes' | 'audiences'> {
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
  readonly audiences: readonly Audience[];
}

type Notice = Readonly<Record<string, string>> | null;

/** Returns the id of the grant. */
export async function extendGrant(
  tx: AccountTx,
  consent: Consent & { readonly notice: Notice },
  now: Date,
): Promise<string> {
  const { agentId, applicationId, scopes, expiresAt, notice } = consent;
  const values = [uuidAt(now), agentId, applicationId, scopes, expiresAt, now, notice];
  return (await tx.row<{ id: string }>(EXTEND_GRANT, values))!.id;
}

/** The lock makes a revocation wait for the code. */
const INSERT_CODE = accountStatement(
  'code_insert',
  `with live as (
     select id, application_id from grants
     where account_id = $1 and id = $2 and revoked_at is null and coalesce(expires_at > $3, true) for share
   )
   insert into authorization_codes
     (hash, grant_id, redirect_uri, code_challenge, scopes, scope_requested, audiences, expires_at)
   select $4, id, $5, $6, $7, $8, $9, $3::timestamptz + interval '${CODE_SECONDS} s' from live
   returning (select name from applications where id = (select application_id from live)) as subject`,
);

/** Returns the name of the application, or undefined if the grant has ended. */
export async function insertCode(
  tx: AccountTx,
  code: Omit<Consent, 'expiresAt'> & { readonly grantId: string; readonly hash: Buffer },
  now: Date,
): Promise<string | undefined> {
  const { grantId, hash, redirectUri, codeChallenge, scopes, scopeRequested, audiences } = code;
  const values = [grantId, now, hash, redirectUri, codeChallenge, scopes, scopeRequested, audiences];
  return (await tx.row<{ subject: string }>(INSERT_CODE, values))?.subject;
}

const FIND_CONSENT = accountStatement(
  'consent_find',
  `select id, scopes from grants
   where account_id = $1 and agent_id = $2 and application_id = $3 and revoked_at is null
     and coalesce(expires_at > $4, true)`,
);

type GivenConsent = Pick<Grant, 'id' | 'scopes'>;

export const findConsent = (
  account: AccountConnection,
  { agentId, applicationId }: Pick<Consent, 'agentId' | 'applicationId'>,
  now: Date,
): Promise<GivenConsent | undefined> => account.row<GivenConsent>(FIND_CONSENT, [agentId, applicationId, now]);

/** Omits consents without a valid token or an enabled webhook. */
const LIST_CONSENTS = accountStatement(
  'consents_list',
  `select p.id as "applicationId", p.client_id as "clientId", p.maker_account_id as "makerAccountId",
     p.metadata_expires_at as "metadataExpiresAt", p.approved_at as "approvedAt", p.name, a.id as "agentId", a.email as agent,
     g.scopes, g.created_at as since, g.last_used_at as "lastUsedAt", g.expires_at as "expiresAt",
     (select count(*)::int from webhooks w where w.grant_id = g.id and w.state <> 'disabled') as webhooks
   from grants g join applications p on p.id = g.application_id join agents a on a.id = g.agent_id
     cross join lateral (
       select from tokens t where t.grant_id = g.id and t.consumed_at is null and t.expires_at > $3
       union all
       select from webhooks w where w.account_id = $1 and w.grant_id = g.id and w.state <> 'disabled'
       limit 1) gives
   where g.account_id = $1 and g.revoked_at is null and ($2::uuid is null or g.agent_id = $2)
     and coalesce(g.expires_at > $3, true)
   order by p.name, a.email`,
);

export interface AuthorisedApplication extends Pick<
  Application,
  'clientId' | 'makerAccountId' | 'metadataExpiresAt' | 'approvedAt'
> {
  readonly applicationId: string;
  readonly name: string;
  readonly agentId: string;
  readonly agent: string;
  readonly scopes: readonly Scope[];
  readonly since: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly webhooks: number;
}

export const listConsents = (account: AccountConnection, agentId: string | null, now: Date) =>
  account.rows<AuthorisedApplication>(LIST_CONSENTS, [agentId, now]);

const FIND_GRANTS_OF_APPLICATION = accountStatement(
  'consents_of_application',
  `select id from grants
   where account_id = $1 and application_id = $2 and ($3::uuid is null or agent_id = $3) and revoked_at is null`,
);

export async function findGrantsOfApplication(
  account: AccountConnection,
  applicationId: string,
  grantedBy: string | null,
): Promise<string[]> {
  const grants = await account.rows<{ id: string }>(FIND_GRANTS_OF_APPLICATION, [applicationId, grantedBy]);
  return grants.map(({ id }) => id);
}

const REVOKE_GRANTS = accountStatement(
  'grants_revoke',
  `with revoked as (
     update grants set revoked_at = $3, revoked_reason = $4
     where account_id = $1 and id = any ($2::uuid[]) and revoked_at is null
     returning id, application_id, agent_id
   )
   select r.id, p.name as application, a.email as "accessOf", ${notifyEnded('r.id')}
   from revoked r join agents a on a.id = r.agent_id left join applications p on p.id = r.application_id`,
);

export interface RevokedGrant {
  readonly id: string;
  readonly application: string | null;
  readonly accessOf: string;
}

export const revokeGrants = (
  tx: AccountTx,
  { ids, reason }: { readonly ids: readonly string[]; readonly reason: RevokedReason },
  now: Date,
): Promise<RevokedGrant[]> => tx.rows<RevokedGrant>(REVOKE_GRANTS, [ids, now, reason]);

const REVOKE_GRANTS_OF_AGENT = accountStatement(
  'agent_revoke_grants',
  `update grants set revoked_at = $3, revoked_reason = 'agent_archived'
   where account_id = $1 and agent_id = $2 and revoked_at is null returning id, ${notifyEnded('id')}`,
);

export async function revokeGrantsOfAgent(tx: AccountTx, agentId: string, now: Date): Promise<string[]> {
  const grants = await tx.rows<{ id: string }>(REVOKE_GRANTS_OF_AGENT, [agentId, now]);
  return grants.map(({ id }) => id);
}

const NOTIFY_APPLICATION_ENDED = systemStatement(
  'application_notify_ended',
  'It only wakes listeners and touches no row',
  `select ${notifyEnded('$1')}`,
);

export async function notifyApplicationEnded(tx: SystemConnection, applicationId: string): Promise<void> {
  await tx.rows(NOTIFY_APPLICATION_ENDED, [applicationId]);
}

const REVOKE_GRANTS_OF_APPLICATION = systemStatement(
  'application_revoke_grants',
  'A deleted application may have grants in many accounts',
  `update grants set revoked_at = $2, revoked_reason = 'application' where application_id = $1 and revoked_at is null`,
);

export async function revokeGrantsOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<void> {
  await tx.rows(REVOKE_GRANTS_OF_APPLICATION, [applicationId, now]);
}

const NOTE_SECRET_USE = systemStatement(
  'application_note_secret_use',
  'Runs for the client that has just shown its secret',
  `update applications set secret_used_at = case when $2 then $3 else secret_used_at end,
     previous_secret_used_at = case when $2 then previous_secret_used_at else $3 end
   where id = $1`,
);

const SECRET_USE_GRAIN_MS = 10 * 60_000;

/** Writes once in ten minutes. */
export async function noteSecretUse(
  db: SystemConnection,
  { id, secretUsedAt, previousSecretUsedAt }: OAuthClient,
  { isCurrent, now }: { readonly isCurrent: boolean; readonly now: Date },
): Promise<void> {
  const usedAt = isCurrent ? secretUsedAt : previousSecretUsedAt;
  if (usedAt && now.getTime() - usedAt.getTime() < SECRET_USE_GRAIN_MS) return;
  await db.rows(NOTE_SECRET_USE, [id, isCurrent, now]);
}

const CREATE_PERSONAL_TOKEN = accountStatement(
  'personal_token_create',
  `with granted as (
     insert into grants (id, account_id, agent_id, name, scopes, created_at)
     values ($2, $1, $3, $4, $5, $6) returning id, scopes, created_at
   )
   insert into tokens (hash, kind, grant_id, scopes, issued_at, expires_at)
   select $7, 'personal', id, scopes, created_at, $8 from granted`,
);

interface HashedPersonalToken {
  readonly id: string;
  readonly agentId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

export async function insertPersonalToken(tx: AccountTx, token: HashedPersonalToken, now: Date): Promise<void> {
  const { id, agentId, name, scopes, hash, expiresAt } = token;
  await tx.rows(CREATE_PERSONAL_TOKEN, [id, agentId, name, scopes, now, hash, expiresAt]);
}

const LIST_PERSONAL_TOKENS = accountStatement(
  'personal_tokens_list',
  `select g.id, g.name, a.email as agent, g.scopes, g.created_at as "createdAt",
     g.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"
   from grants g join agents a on a.id = g.agent_id join tokens t on t.grant_id = g.id
   where g.account_id = $1 and g.application_id is null and g.revoked_at is null and t.expires_at > $2
     and ($3::uuid is null or g.agent_id = $3)
   order by g.id`,
);

export interface PersonalToken extends Pick<Grant, 'id' | 'scopes' | 'createdAt' | 'lastUsedAt'> {
  readonly name: string;
  readonly agent: string;
  readonly expiresAt: Date;
}

export const listPersonalTokens = (account: AccountConnection, agentId: string | null, now: Date) =>
  account.rows<PersonalToken>(LIST_PERSONAL_TOKENS, [now, agentId]);
