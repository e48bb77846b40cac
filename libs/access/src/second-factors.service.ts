import { Clock, Database, Transactions } from '#libs/database';
import type { Agent } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { SecretBox, type SealedValue } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { recoveryCodeHash } from './recovery-codes.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';
import { matchingStep, normalizeTotpCode } from './totp.js';
import { ACCEPT_STEP, FIND_AUTHENTICATOR, READ_EMAIL, SPEND_RECOVERY_CODE } from './two-factor.statements.js';

/** `from` names the browser. Tries in one browser cannot use up those in another. */
export interface CodeHolder extends Pick<Agent, 'accountId'> {
  readonly agentId: string;
  readonly from: string;
}

export type CodeResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** Guessing for a year succeeds with a probability of 2 %. */
const MAX_WRONG_CODES = 20;
const DAY_SECONDS = 86_400;

/** No code is accepted twice. */
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
    return (await this.database.account(accountId).row(FIND_AUTHENTICATOR, [agentId])) !== undefined;
  }

  /** Counts before the comparison, so that parallel tries are counted too. */
  async acceptCode(holder: CodeHolder, typed: string): Promise<CodeResult> {
    const limit = limitOf(holder);
    const retryAfterSeconds = await this.throttles.consume([limit]);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    if (!(await this.isNewCode(holder, typed))) return { kind: 'refused' };
    await this.throttles.release([limit]);
    return { kind: 'accepted' };
  }

  /** Not limited: recovery codes cannot be guessed, and must work while codes are throttled. */
  acceptRecoveryCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const spent = await tx.row<{ left: number }>(SPEND_RECOVERY_CODE, [agentId, recoveryCodeHash(agentId, typed)]);
      if (!spent) return false;
      const actor = { agentId, applicationId: null, requestId: null };
      const subject = (await tx.row<{ email: string }>(READ_EMAIL, [agentId]))?.email ?? '';
      const detail = { left: spent.left };
      await insertActivity(tx, actor, { kind: 'recovery_code_used', ticketId: null, subject, detail }, now);
      return true;
    });
  }

  private async isNewCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    const code = normalizeTotpCode(typed);
    const account = this.database.account(accountId);
    const found = code === undefined ? undefined : await account.row<SealedValue>(FIND_AUTHENTICATOR, [agentId]);
    if (code === undefined || !found) return false;
    const step = matchingStep(this.box.open(found, agentId), code, this.clock.now());
    return step !== null && (await account.row(ACCEPT_STEP, [agentId, step])) !== undefined;
  }
}

const limitOf = ({ agentId, from }: CodeHolder): ThrottleLimit => ({
  name: 'two-factor code',
  key: `${agentId}\n${from}`,
  max: MAX_WRONG_CODES,
  seconds: DAY_SECONDS,
});
