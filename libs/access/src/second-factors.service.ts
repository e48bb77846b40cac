import { randomInt } from 'node:crypto';
import { type AccountTx, Database, Transactions, later } from '#libs/database';
import type { Agent } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { SecretBox } from '#libs/secret-box';
import { Injectable } from '@nestjs/common';
import { ThrottlesService } from './throttles.service.js';
import type { SigningIn } from './session.statements.js';
import { digest, randomToken } from './secrets.js';
import { endChallenge, isChallengeOpen, openChallenge, tryChallenge } from './sign-in.statements.js';
import { matchingStep, normalizeTotpCode } from './totp.js';
import {
  type Authenticator,
  acceptStep,
  readAuthenticator,
  saveRecoveryCodes,
  spendRecoveryCode,
} from './two-factor.statements.js';

interface CodeHolder extends Pick<Agent, 'accountId'> {
  readonly agentId: string;
  /** An id of the browser if the agent has signed in with it before. */
  readonly knownBrowser: string | undefined;
}

type Throttled = { readonly kind: 'throttled'; readonly retryAfterSeconds: number };
type CodeResult = { readonly kind: 'accepted' } | { readonly kind: 'refused' } | Throttled;

export interface ChallengeAnswer {
  readonly kind: 'code' | 'recovery_code';
  readonly typed: string;
  readonly knownBrowser: (agentId: string) => string | undefined;
}

type ChallengeResult =
  | { readonly kind: 'passed'; readonly agent: SigningIn; readonly returnTo: string }
  | { readonly kind: 'refused'; readonly triesLeft: number }
  | { readonly kind: 'over' }
  | Throttled;

const CHALLENGE_LIFE_MS = 10 * 60_000;

/** Guessing for a year succeeds with a probability of 2 %. */
const MAX_WRONG_CODES = 20;
const MAX_WRONG_CODES_OF_KNOWN_BROWSERS = 100;
const DAY_SECONDS = 86_400;

/** Strangers with the password cannot use up the tries of a known browser. */
function codeLimits({ agentId, knownBrowser }: CodeHolder) {
  const key = `${agentId}\n${knownBrowser ?? 'unknown browsers'}`;
  const own = { name: 'two-factor code', key, max: MAX_WRONG_CODES, seconds: DAY_SECONDS };
  const all = { ...own, name: 'two-factor codes', key: agentId, max: MAX_WRONG_CODES_OF_KNOWN_BROWSERS };
  return knownBrowser === undefined ? [own] : [own, all];
}

/** No code is accepted twice. A challenge is a sign-in between password and code: the browser is not signed in yet. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly throttles: ThrottlesService,
    private readonly box: SecretBox,
  ) {}

  async challengeIfNeeded(agent: SigningIn, returnTo: string): Promise<{ token: string; expiresAt: Date } | undefined> {
    if (!(await this.authenticator(agent.accountId, agent.id))) return undefined;
    const token = randomToken();
    const expiresAt = later(this.transactions.now(), CHALLENGE_LIFE_MS);
    const account = this.database.account(agent.accountId);
    await openChallenge(account, { hash: digest(token), agent, returnTo, expiresAt });
    return { token, expiresAt };
  }

  isChallengeOpen(token: string): Promise<boolean> {
    return isChallengeOpen(this.database.system(), digest(token), this.transactions.now());
  }

  /** Only one of two simultaneous correct codes passes. */
  async answerChallenge(token: string, { kind, typed, knownBrowser }: ChallengeAnswer): Promise<ChallengeResult> {
    const system = this.database.system();
    const tried = await tryChallenge(system, digest(token), this.transactions.now());
    if (!tried) return { kind: 'over' };
    const { left, ...agent } = tried;
    const holder = { accountId: agent.accountId, agentId: agent.id, knownBrowser: knownBrowser(agent.id) };
    const result = await (kind === 'code' ? this.acceptCode(holder, typed) : this.acceptRecoveryCode(holder, typed));
    if (result.kind === 'throttled') return result;
    if (result.kind === 'refused') return left > 0 ? { kind: 'refused', triesLeft: left } : { kind: 'over' };
    const ended = await endChallenge(system, digest(token));
    if (!ended) return { kind: 'over' };
    const { returnTo, passwordVersion } = ended;
    return { kind: 'passed', agent: { ...agent, passwordVersion }, returnTo };
  }

  /** Counts before the comparison, so that parallel tries are counted too. */
  async acceptCode(holder: CodeHolder, typed: string): Promise<CodeResult> {
    const limits = codeLimits(holder);
    const retryAfterSeconds = await this.throttles.consume(limits);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    if (!(await this.isNewCode(holder, typed))) return { kind: 'refused' };
    await this.throttles.release(limits);
    return { kind: 'accepted' };
  }

  private async isNewCode({ accountId, agentId }: CodeHolder, typed: string): Promise<boolean> {
    const code = normalizeTotpCode(typed);
    const found = code === undefined ? undefined : await this.authenticator(accountId, agentId);
    if (code === undefined || !found) return false;
    const step = matchingStep(this.box.open(found, agentId), code, this.transactions.now());
    return step !== null && acceptStep(this.database.account(accountId), agentId, step);
  }

  private async authenticator(accountId: string, agentId: string): Promise<Authenticator | undefined> {
    const found = await readAuthenticator(this.database.account(accountId), agentId);
    return found?.confirmedAt ? found : undefined;
  }

  /** Not limited: recovery codes cannot be guessed, and must work while codes are throttled. */
  private acceptRecoveryCode({ accountId, agentId }: CodeHolder, typed: string): Promise<CodeResult> {
    return this.transactions.run({ accountId }, async (tx, now) => {
      const spent = await spendRecoveryCode(tx, agentId, recoveryCodeHash(agentId, typed));
      if (!spent) return { kind: 'refused' };
      const actor = { agentId, applicationId: null, requestId: null };
      const description = { subject: spent.email, detail: { left: spent.left } };
      await insertActivity(tx, actor, { kind: 'recovery_code_used', ...description }, now);
      return { kind: 'accepted' };
    });
  }
}

const CODES = 10;
const CODE_LENGTH = 16;
/** Omits letters and digits that look alike. 16 of 30 make 78 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz2345679';

export async function replaceRecoveryCodes(tx: AccountTx, agentId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newRecoveryCode);
  const hashes = codes.map((code) => recoveryCodeHash(agentId, code));
  await saveRecoveryCodes(tx, { agentId, hashes }, now);
  return codes;
}

/** Ignores case, spaces and hyphens. */
const recoveryCodeHash = (agentId: string, typed: string): Buffer =>
  digest(`${agentId}\n${typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);

function newRecoveryCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return letters.match(/.{4}/g)!.join('-');
}
