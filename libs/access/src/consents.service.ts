import { Clock, Transactions, uuidAt } from '#libs/database';
import type { AuthorizationCode, Grant, Scope } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { FIND_GRANTS_OF_APPLICATION, GRANT_CONSENT, LIST_CONSENTS } from './grant.statements.js';
import { GrantsService } from './grants.service.js';
import { digest, randomToken } from './secrets.js';

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
      const { application } = (await tx.row<{ application: string }>(GRANT_CONSENT, values))!;
      const description = { ticketId: null, subject: application, detail: { scopes } };
      const actor = { agentId, applicationId: null, requestId: null };
      await insertActivity(tx, actor, { kind: 'application_authorised', ...description }, now);
    });
    return code;
  }

  list(accountId: string, agentId?: string): Promise<AuthorisedApplication[]> {
    return this.transactions
      .account({ accountId })
      .rows<AuthorisedApplication>(LIST_CONSENTS, [agentId ?? null, this.clock.now()]);
  }

  /** `grantedBy` limits it to the grants of one agent. Returns the number of grants. */
  async withdraw(
    accountId: string,
    applicationId: string,
    { by, grantedBy }: { readonly by: string; readonly grantedBy?: string | undefined },
  ): Promise<number> {
    const values = [applicationId, grantedBy ?? null];
    const found = await this.transactions
      .account({ accountId })
      .rows<{ id: string }>(FIND_GRANTS_OF_APPLICATION, values);
    const ids = found.map(({ id }) => id);
    return this.grants.revoke(accountId, ids, { reason: 'person', by });
  }
}
