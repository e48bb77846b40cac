import { type AccountTx, Transactions, isUuid, later, uuidAt } from '#libs/database';
import { Agent, Conflict, InvalidField, NotFound, existing, validateName } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { type PersonalToken, insertPersonalToken, listPersonalTokens } from './grant.statements.js';
import { digest, randomToken } from './secrets.js';
import { validateScopes } from './scopes.js';
import { GrantsService } from './grants.service.js';

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
    await insertPersonalToken(tx, { id, agentId: wanted.agentId, name, scopes, hash: digest(token), expiresAt }, now);
    return { id, token, expiresAt };
  }

  list(accountId: string, agentId?: string): Promise<PersonalToken[]> {
    return listPersonalTokens(this.transactions.account({ accountId }), agentId ?? null, this.transactions.now());
  }

  async revoke(accountId: string, id: string, by: 'person' | 'operator', agentId?: string): Promise<void> {
    const listed = isUuid(id) && (await this.list(accountId, agentId)).some((token) => token.id === id);
    if (!listed) throw new NotFound('token');
    await this.grants.revoke(accountId, [id], { reason: by });
  }

  private async refuseTooMany(tx: AccountTx, agentId: string, now: Date): Promise<void> {
    // Serialises the creation of tokens, so that their number holds.
    existing(await tx.repository(Agent).lockForChange({ id: agentId }), 'agent');
    if ((await listPersonalTokens(tx, agentId, now)).length >= MAX_TOKENS)
      throw new Conflict(
        'too_many_tokens',
        `You have ${MAX_TOKENS} personal access tokens. Revoke one you no longer use.`,
      );
  }
}

function acceptDays(days: number): number {
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidField(
      'days',
      'invalid_lifetime',
      `A personal access token must be valid for 1 to ${MAX_DAYS} days.`,
    );
  return days;
}
