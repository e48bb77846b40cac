import { type AccountTx, Transactions, isUuid, uuidAt } from '#libs/database';
import { type AuthorizationCode, type Grant, NotFound, type RevokedReason, type Scope } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { FIND_GRANTS_OF_APPLICATION, GRANT_CONSENT, LIST_CONSENTS, REVOKE_GRANTS } from './grant.statements.js';
import { digest, randomToken } from './secrets.js';
import { DependentWebhooks } from './dependent-webhooks.js';

interface Consent
  extends Pick<Grant, 'agentId' | 'scopeRequested'>, Pick<AuthorizationCode, 'redirectUri' | 'codeChallenge'> {
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
}

export interface AuthorisedApplication {
  readonly applicationId: string;
  readonly name: string;
  readonly agentId: string;
  readonly agent: string;
  readonly scopes: readonly Scope[];
  readonly since: Date;
  readonly lastUsedAt: Date | null;
  readonly webhooks: number;
}

interface RevokedGrant {
  readonly id: string;
  readonly application: string | null;
  readonly accessOf: string;
}

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
      const grants = await tx.rows<RevokedGrant>(REVOKE_GRANTS, [ids, now, reason]);
      await this.webhooks.disableOfAccess(tx, { grantIds: idsOf(grants) }, now);
      if (by !== null) await recordRevocations(tx, by, grants, now);
      return grants.length;
    });
  }

  async grant(accountId: string, consent: Consent): Promise<string> {
    const code = randomToken();
    const { agentId, applicationId, scopes, scopeRequested, redirectUri, codeChallenge } = consent;
    await this.transactions.run({ accountId }, async (tx, now) => {
      const grant = [uuidAt(now), agentId, applicationId, scopes, scopeRequested, now];
      const values = [...grant, digest(code), redirectUri, codeChallenge];
      const { subject } = (await tx.row<{ subject: string }>(GRANT_CONSENT, values))!;
      const activity = { kind: 'application_authorised', ticketId: null, subject, detail: { scopes } };
      await insertActivity(tx, actorOf(agentId), activity, now);
    });
    return code;
  }

  list(accountId: string, agentId: string | null = null): Promise<AuthorisedApplication[]> {
    return this.transactions.account({ accountId }).rows(LIST_CONSENTS, [agentId, this.transactions.now()]);
  }

  /** `grantedBy` limits it to the grants of one agent. */
  async withdraw(
    accountId: string,
    applicationId: string,
    { by, grantedBy = null }: { by: string; grantedBy?: string | null },
  ): Promise<void> {
    if (!isUuid(applicationId) || (grantedBy !== null && !isUuid(grantedBy))) throw new NotFound('application');
    const account = this.transactions.account({ accountId });
    const found = await account.rows<{ id: string }>(FIND_GRANTS_OF_APPLICATION, [applicationId, grantedBy]);
    const count = await this.revoke(accountId, idsOf(found), { reason: 'person', by });
    if (count === 0) throw new NotFound('application');
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

/** Records one activity for each application and agent. */
async function recordRevocations(tx: AccountTx, by: string, grants: readonly RevokedGrant[], now: Date): Promise<void> {
  const distinct = new Map(grants.map((grant) => [`${grant.application} ${grant.accessOf}`, grant]));
  for (const { application: subject, accessOf } of distinct.values()) {
    if (subject === null) continue;
    const activity = { kind: 'application_revoked', ticketId: null, subject, detail: { access_of: accessOf } };
    await insertActivity(tx, actorOf(by), activity, now);
  }
}

const actorOf = (agentId: string) => ({ agentId, applicationId: null, requestId: null });
