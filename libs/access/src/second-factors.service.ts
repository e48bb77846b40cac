import { randomInt } from 'node:crypto';
import { type AccountTx, Transactions } from '#libs/database';
import type { Agent } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { digest } from './secrets.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';
import { matchingStep, normalizeTotpCode } from './totp.js';
import {
  ACCEPT_STEP,
  type Authenticator,
  DELETE_RECOVERY_CODES,
  INSERT_RECOVERY_CODES,
  READ_AUTHENTICATOR,
  SPEND_RECOVERY_CODE,
} from './two-factor.statements.js';

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
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async isOn(accountId: string, agentId: string): Promise<boolean> {
    return (await this.authenticator(accountId, agentId)) !== undefined;
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
      type Spent = { left: number; email: string };
      const spent = await tx.row<Spent>(SPEND_RECOVERY_CODE, [agentId, recoveryCodeHash(agentId, typed)]);
      if (!spent) return false;
      const actor = { agentId, applicationId: null, requestId: null };
      const description = { ticketId: null, subject: spent.email, detail: { left: spent.left } };
      await insertActivity(tx, actor, { kind: 'recovery_code_used', ...description }, now);
      return true;
    });
  }

  private async isNewCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    const code = normalizeTotpCode(typed);
    const found = code === undefined ? undefined : await this.authenticator(accountId, agentId);
    if (code === undefined || !found) return false;
    const step = matchingStep(this.box.open(found, agentId), code, this.transactions.now());
    if (step === null) return false;
    return (await this.transactions.account({ accountId }).row(ACCEPT_STEP, [agentId, step])) !== undefined;
  }

  private async authenticator(accountId: string, agentId: string): Promise<Authenticator | undefined> {
    const found = await this.transactions.account({ accountId }).row<Authenticator>(READ_AUTHENTICATOR, [agentId]);
    return found?.confirmedAt ? found : undefined;
  }
}

const limitOf = ({ agentId, from }: CodeHolder): ThrottleLimit => ({
  name: 'two-factor code',
  key: `${agentId}\n${from}`,
  max: MAX_WRONG_CODES,
  seconds: DAY_SECONDS,
});

const CODES = 10;
const CODE_LENGTH = 16;
/** Omits letters and digits that look alike. 16 of 30 make 78 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz2345679';

export async function replaceRecoveryCodes(tx: AccountTx, agentId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newRecoveryCode);
  await tx.rows(DELETE_RECOVERY_CODES, [agentId]);
  await tx.rows(INSERT_RECOVERY_CODES, [agentId, codes.map((code) => recoveryCodeHash(agentId, code)), now]);
  return codes;
}

/** Ignores case, spaces and hyphens. */
const recoveryCodeHash = (agentId: string, typed: string): Buffer =>
  digest(`${agentId}\n${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

function newRecoveryCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}
