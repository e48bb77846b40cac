import { type AccountTx, type SystemConnection, Transactions, isUuid, later, uuidAt } from '#libs/database';
import {
  Agent,
  type AuthorizationCode,
  Conflict,
  type Grant,
  InvalidField,
  NotFound,
  type RevokedReason,
  type Scope,
  existing,
} from '#libs/entities';
import { insertActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import {
  CREATE_PERSONAL_TOKEN,
  FIND_GRANTS_OF_APPLICATION,
  GRANT_CONSENT,
  LIST_CONSENTS,
  LIST_PERSONAL_TOKENS,
  REVOKE_GRANTS,
} from './grant.statements.js';
import { digest, randomToken } from './secrets.js';
import { validateName, validateScopes } from './validation.js';

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

/** `makerId` also ends the webhooks that this agent made without a grant. */
type EndedAccess = { readonly grantIds: readonly string[]; readonly makerId?: string };

/** Disables webhooks. The app provides it, because this library cannot import webhooks. */
export abstract class DependentWebhooks {
  abstract disableOfAccess(tx: AccountTx, ended: EndedAccess, now: Date): Promise<void>;
  abstract disableOfApplication(tx: SystemConnection, applicationId: string, now: Date): Promise<number>;
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

const DAY_MS = 86_400_000;
const MAX_DAYS = 365;
/** Each token is one more credential that can leak. */
const MAX_TOKENS = 50;

interface NewPersonalToken {
  readonly agentId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly days?: number | undefined;
}

export interface PersonalToken extends Pick<Grant, 'id' | 'scopes' | 'createdAt' | 'lastUsedAt'> {
  readonly name: string;
  readonly agent: string;
  readonly expiresAt: Date;
}

@Injectable()
export class PersonalTokensService {
  constructor(
    private readonly transactions: Transactions,
    private readonly grants: GrantsService,
  ) {}

  async create(tx: AccountTx, wanted: NewPersonalToken) {
    const now = this.transactions.now();
    const id = uuidAt(now);
    const name = validateName('name', wanted.name);
    const scopes = validateScopes(wanted.scopes);
    const expiresAt = later(now, acceptDays(wanted.days ?? MAX_DAYS) * DAY_MS);
    // A prefix for scanners of leaked secrets.
    const token = `dwp_${randomToken()}`;
    await this.refuseTooMany(tx, wanted.agentId, now);
    await tx.rows(CREATE_PERSONAL_TOKEN, [id, wanted.agentId, name, scopes, now, digest(token), expiresAt]);
    return { id, token, expiresAt };
  }

  list(accountId: string, agentId?: string): Promise<PersonalToken[]> {
    const values = [this.transactions.now(), agentId ?? null];
    return this.transactions.account({ accountId }).rows(LIST_PERSONAL_TOKENS, values);
  }

  async revoke(accountId: string, id: string, by: 'person' | 'operator', agentId?: string): Promise<void> {
    const listed = isUuid(id) && (await this.list(accountId, agentId)).some((token) => token.id === id);
    if (!listed) throw new NotFound('token');
    await this.grants.revoke(accountId, [id], { reason: by });
  }

  private async refuseTooMany(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    // Serialises the creation of tokens, so that their number holds.
    existing(await tx.repository(Agent).lockForChange({ id: agentId }), 'agent');
    if ((await tx.rows(LIST_PERSONAL_TOKENS, [now, agentId])).length >= MAX_TOKENS)
      throw new Conflict(
        'too_many_tokens',
        `You have ${MAX_TOKENS} personal access tokens. Revoke one you no longer use.`,
      );
  }
}

function acceptDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidField('days', 'invalid_lifetime', `A personal access token lives 1 to ${MAX_DAYS} days.`);
  return days;
}
