import { Clock, Database, Transactions, accountStatement, filter } from '#libs/database';
import type { Agent } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { SecretBox, type SealedValue } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { SPEND_RECOVERY_CODE, recoveryCodeHash } from './recovery-codes.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';
import { matchingStep, normalizeTotpCode } from './totp.js';

/** Somebody who has to prove who they are, and from where. Tries from one place cannot use up those of another. */
export interface CodeHolder extends Pick<Agent, 'accountId'> {
  readonly agentId: string;
  readonly from: string;
}

export type CodeResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/**
 * Three of a million codes are right at any moment. Whoever has stolen the password and guesses all year has a chance
 * of two in a hundred.
 */
const MAX_WRONG_CODES = 20;
const DAY_SECONDS = 86_400;

const FIND = accountStatement(
  'authenticator_find',
  `select sealed, key_id as "keyId" from authenticators
   where account_id = $1 and agent_id = $2 and confirmed_at is not null`,
);

/** Of two processes that are given the same code at once, one changes the row. The other finds it changed. */
const ACCEPT = accountStatement(
  'authenticator_accept',
  `update authenticators set last_step = $3
   where account_id = $1 and agent_id = $2 and confirmed_at is not null and last_step < $3 returning last_step`,
);

const EMAIL = accountStatement(
  'second_factor_email',
  `select email from agents where id = $2 and ${filter('account_id = $1')}`,
);

/** Compares what people type with what their app shows, and with their recovery codes. Nothing is accepted twice. */
@Injectable()
export class SecondFactorsService {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async isOn(accountId: string, agentId: string): Promise<boolean> {
    return (await this.database.account(accountId).row(FIND, [agentId])) !== undefined;
  }

  /** Counted before it is compared, so that parallel tries cannot outrun the limit. A right code gives its try back. */
  async acceptCode(holder: CodeHolder, typed: string): Promise<CodeResult> {
    const limit = limitOf(holder);
    const retryAfterSeconds = await this.throttles.consume([limit]);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    if (!(await this.isNewCode(holder, typed))) return { kind: 'refused' };
    await this.throttles.release([limit]);
    return { kind: 'accepted' };
  }

  /** Not limited here, because they cannot be guessed: whoever is locked out by another’s tries still gets in. */
  acceptRecoveryCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const spent = await tx.row<{ left: number }>(SPEND_RECOVERY_CODE, [agentId, recoveryCodeHash(agentId, typed)]);
      if (!spent) return false;
      const actor = { agentId, applicationId: null, requestId: null };
      const subject = (await tx.row<{ email: string }>(EMAIL, [agentId]))?.email ?? '';
      const detail = { left: spent.left };
      await insertActivity(tx, actor, { kind: 'recovery_code_used', ticketId: null, subject, detail }, now);
      return true;
    });
  }

  private async isNewCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    const code = normalizeTotpCode(typed);
    const account = this.database.account(accountId);
    const found = code === undefined ? undefined : await account.row<SealedValue>(FIND, [agentId]);
    if (code === undefined || !found) return false;
    const step = matchingStep(this.box.open(found, agentId), code, this.clock.now());
    return step !== null && (await account.row(ACCEPT, [agentId, step])) !== undefined;
  }
}

const limitOf = ({ agentId, from }: CodeHolder): ThrottleLimit => ({
  name: 'two-factor code',
  key: `${agentId}\n${from}`,
  max: MAX_WRONG_CODES,
  seconds: DAY_SECONDS,
});
