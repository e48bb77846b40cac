import { type AccountTx, Transactions, isUuid, later } from '#libs/database';
import { NotFound, READING_SCOPES, type RevokedReason, SCOPES, type Scope, scopesMissing } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import {
  type AuthorisedApplication,
  type Consent,
  type RevokedGrant,
  extendGrant,
  findConsent,
  findGrantsOfApplication,
  insertCode,
  listConsents,
  revokeGrants,
} from './grant.statements.js';
import { destinationOf } from './redirect-uris.js';
import { digest, randomToken } from './secrets.js';
import { DependentWebhooks } from './dependent-webhooks.js';

type CodeRequest = Omit<Consent, 'expiresAt'> & { readonly grantId: string };

@Injectable()
export class GrantsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly webhooks: DependentWebhooks,
  ) {}

  /** Records an activity if an agent, `by`, revokes an application. Returns how many grants were alive. */
  revoke(
    accountId: string,
    ids: readonly string[],
    { reason, by = null }: { reason: RevokedReason; by?: string | null },
  ): Promise<number> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const grants = await revokeGrants(tx, { ids, reason }, now);
      await this.webhooks.disableOfAccess(tx, { grantIds: grants.map(({ id }) => id) }, now);
      if (by !== null) await recordRevocations(tx, by, grants, now);
      return grants.length;
    });
  }

  /** Returns a code. */
  grant(accountId: string, consent: Consent): Promise<string> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const before = await findConsent(tx, consent, now);
      const notice = noticeOf(consent, before?.scopes ?? []);
      const grantId = await extendGrant(tx, { ...consent, notice }, now);
      const { code, subject } = (await issueCode(tx, { ...consent, grantId }, now))!;
      const { agentId, scopes } = consent;
      const activity = { kind: 'application_authorised', subject, detail: { scopes } };
      await insertActivity(tx, actorOf(agentId), activity, now);
      return code;
    });
  }

  /** Returns a code for what the person has allowed before, or undefined if that has ended. */
  async repeat(accountId: string, request: CodeRequest): Promise<string | undefined> {
    return (await this.transactions.run({ accountId }, (tx, now) => issueCode(tx, request, now)))?.code;
  }

  expiryAfter(hours: number | undefined): Date | null {
    return hours === undefined ? null : later(this.transactions.now(), hours * 3_600_000);
  }

  /** Finds the access that the person has given the application. */
  find(accountId: string, consent: Pick<Consent, 'agentId' | 'applicationId'>) {
    return findConsent(this.transactions.account({ accountId }), consent, this.transactions.now());
  }

  list(accountId: string, agentId: string | null = null): Promise<AuthorisedApplication[]> {
    return listConsents(this.transactions.account({ accountId }), agentId, this.transactions.now());
  }

  /** Revokes the grants of an application. `grantedBy` limits it to the grants of one agent. */
  async revokeApplication(
    accountId: string,
    applicationId: string,
    { by, grantedBy = null }: { by: string; grantedBy?: string | null },
  ): Promise<void> {
    if (!isUuid(applicationId) || (grantedBy !== null && !isUuid(grantedBy))) throw new NotFound('application');
    const account = this.transactions.account({ accountId });
    const ids = await findGrantsOfApplication(account, applicationId, grantedBy);
    const count = await this.revoke(accountId, ids, { reason: 'person', by });
    if (count === 0) throw new NotFound('application');
  }
}

/** Content of the email about access beyond reading, if it is new or grows. */
function noticeOf({ scopes, redirectUri, expiresAt }: Consent, before: readonly Scope[]) {
  const all = SCOPES.filter((scope) => before.includes(scope) || scopes.includes(scope));
  if (scopesMissing(before, scopes).length === 0 || scopesMissing(READING_SCOPES, all).length === 0) return null;
  const until = expiresAt?.toISOString() ?? '';
  return { scopes: all.join(' '), destination: destinationOf(redirectUri), until };
}

async function issueCode(tx: AccountTx, request: CodeRequest, now: Date) {
  const code = randomToken();
  const subject = await insertCode(tx, { ...request, hash: digest(code) }, now);
  return subject === undefined ? undefined : { code, subject };
}

/** Records one activity for each application and agent. */
async function recordRevocations(tx: AccountTx, by: string, grants: readonly RevokedGrant[], now: Date): Promise<void> {
  const distinct = new Map(grants.map((grant) => [`${grant.application} ${grant.accessOf}`, grant]));
  for (const { application: subject, accessOf } of distinct.values()) {
    if (subject === null) continue;
    const activity = { kind: 'application_revoked', subject, detail: { access_of: accessOf } };
    await insertActivity(tx, actorOf(by), activity, now);
  }
}

const actorOf = (agentId: string) => ({ agentId, applicationId: null, requestId: null });
