import { createHash } from 'node:crypto';
import { Clock, Database } from '#libs/database';
import { Conflict, InvalidField, DomainError } from '#libs/entities';
import { SecretBox } from '#libs/secret-box';
import { Injectable } from '@nestjs/common';
import { toHttpProblem } from './to-http-problem.js';
import { type IdempotencyRow, beginRequest, findRequest, releaseKey, storeResponse } from './idempotency.statements.js';

export interface IdempotentRequest {
  readonly accountId: string;
  readonly grantId: string;
  readonly key: string;
  /** Method, path and body. They must be the same whenever the key is. */
  readonly content: string;
  /** Forms of the console have no rate limit, so only the latest of each person are kept. */
  readonly isForm?: true;
}

export interface StoredResponse {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/** No request runs longer, so its process must have died. */
const ABANDONED_AFTER_MS = 60_000;

/** If the process dies, the key stays taken: the change may have happened. */
@Injectable()
export class IdempotencyService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly box: SecretBox,
  ) {}

  /** Returns the stored response of a repeated request; undefined means that the caller does the work. */
  async begin(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    const rule = 'Idempotency-Key must have 1 to 255 characters of visible ASCII';
    if (!IDEMPOTENCY_KEY.test(request.key)) throw new InvalidField('Idempotency-Key', 'malformed', rule);
    const account = this.database.account(request.accountId);
    const hash = createHash('sha256').update(request.content).digest();
    if (await beginRequest(account, { ...request, hash, at: this.clock.now() })) return undefined;
    const earlier = await findRequest(account, request);
    return earlier ? this.repeat(request, earlier, hash) : undefined;
  }

  private repeat(request: IdempotentRequest, earlier: IdempotencyRow, hash: Buffer): StoredResponse {
    if (!earlier.requestHash.equals(hash))
      throw new DomainError(
        'invalid',
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request.',
      );
    const { status, location, body } = earlier;
    // Null until the earlier request has finished.
    if (status !== null && body !== null) return { status, location, body: this.open(body, request) };
    if (this.clock.now().getTime() - earlier.createdAt.getTime() < ABANDONED_AFTER_MS)
      throw new Conflict(
        'request_in_progress',
        'A request with this Idempotency-Key is still running. Try again in a second.',
      );
    throw new Conflict(
      'outcome_unknown',
      'A request with this Idempotency-Key was interrupted. Check whether it took effect, then use a new key.',
    );
  }

  /** A refusal releases the key. After a 5xx the commit may have happened, so the key stays taken. */
  async run<T>(
    request: IdempotentRequest,
    work: () => Promise<T>,
    responseOf: (result: T) => StoredResponse | undefined,
  ): Promise<T> {
    try {
      const result = await work();
      const response = responseOf(result);
      await (response ? this.store(request, response) : this.release(request));
      return result;
    } catch (error) {
      if (toHttpProblem(error).status < 500) await this.release(request);
      throw error;
    }
  }

  private async store(request: IdempotentRequest, { status, location, body }: StoredResponse): Promise<void> {
    const { sealed, keyId } = this.box.seal(body, ownerOf(request));
    const encryptedBody = `${keyId}:${sealed.toString('base64')}`;
    await storeResponse(this.database.account(request.accountId), request, { status, location, body: encryptedBody });
  }

  private open(encryptedBody: string, request: IdempotentRequest): string {
    const [keyId = '', sealed = ''] = encryptedBody.split(':');
    return this.box.open({ keyId, sealed: Buffer.from(sealed, 'base64') }, ownerOf(request));
  }

  private async release(request: IdempotentRequest): Promise<void> {
    await releaseKey(this.database.account(request.accountId), request);
  }
}

const ownerOf = ({ accountId, grantId, key }: IdempotentRequest): string => `${accountId}.${grantId}.${key}`;
