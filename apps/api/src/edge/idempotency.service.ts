import { createHash } from 'node:crypto';
import { Clock, Database, accountStatement } from '#libs/database';
import { Conflict, InvalidField, DomainError } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { SecretBox } from '#libs/secret-box';
import { Inject, Injectable } from '@nestjs/common';

export interface IdempotentRequest {
  readonly accountId: string;
  readonly grantId: string;
  readonly key: string;
  /** Method, path and body. They must be the same whenever the key is. */
  readonly content: string;
  /** Of a form of the console: then only the latest of this person are kept, because no rate limit bounds them. */
  readonly isForm?: true;
}

export interface StoredResponse {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

/** Visible ASCII. */
export const IDEMPOTENCY_KEY = /^[!-~]{1,255}$/;

/** A key can be used again after a day. */
const BEGIN = accountStatement(
  'idempotency_begin',
  `insert into idempotency_keys as k (account_id, grant_id, key, request_hash, created_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id, grant_id, key) do update
     set request_hash = $4, created_at = $5, status = null, location = null, body = null
     where k.created_at < $5 - interval '24 hours'
   returning true as begun`,
);
const FIND = accountStatement(
  'idempotency_find',
  `select request_hash as "requestHash", status, location, body, created_at as "createdAt"
   from idempotency_keys where account_id = $1 and grant_id = $2 and key = $3`,
);
const STORE = accountStatement(
  'idempotency_keep',
  'update idempotency_keys set status = $4, location = $5, body = $6 where account_id = $1 and grant_id = $2 and key = $3',
);
/** Forms are sent twice within seconds. So many of them, or so many bytes of pages, are more than a day's work. */
export const MAX_FORMS = 1000;
export const MAX_FORM_BYTES = 8 * 1024 * 1024;

const STORE_FORM = accountStatement(
  'idempotency_keep_form',
  `with kept as (
     select key, row_number() over latest as place, sum(coalesce(octet_length(body), 0)) over latest as bytes
     from idempotency_keys where account_id = $1 and grant_id = $2 and key <> $3
     window latest as (order by created_at desc, key)
   ), surplus as (
     select key from idempotency_keys
     where account_id = $1 and grant_id = $2
       and key in (select key from kept where place >= ${MAX_FORMS} or bytes > ${MAX_FORM_BYTES})
     for update skip locked
   ), forgotten as (
     delete from idempotency_keys where account_id = $1 and grant_id = $2 and key in (select key from surplus)
   )
   update idempotency_keys set status = $4, location = $5, body = $6 where account_id = $1 and grant_id = $2 and key = $3`,
);
const RELEASE = accountStatement(
  'idempotency_forget',
  'delete from idempotency_keys where account_id = $1 and grant_id = $2 and key = $3 and status is null',
);

interface IdempotencyRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly location: string | null;
  readonly body: string | null;
  readonly createdAt: Date;
}

/** No request runs longer, so the process that began it is gone. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * One key has one effect within a day. It costs two round trips: `begin` and `store`. A refused request frees its key,
 * because it changed nothing. If the process died on the way, the key stays taken, because the change may have happened.
 */
@Injectable()
export class IdempotencyService {
  /** Stored answers are encrypted, because that of a new webhook holds its secret. */
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  /** The answer to repeat, or undefined when this request is the first. */
  async begin(request: IdempotentRequest): Promise<StoredResponse | undefined> {
    if (!IDEMPOTENCY_KEY.test(request.key))
      throw new InvalidField(
        'Idempotency-Key',
        'malformed',
        'Idempotency-Key must have 1 to 255 characters of visible ASCII',
      );
    const account = this.database.account(request.accountId);
    const hash = createHash('sha256').update(request.content).digest();
    if (await account.row(BEGIN, [request.grantId, request.key, hash, this.clock.now()])) return undefined;
    const kept = await account.row<IdempotencyRow>(FIND, [request.grantId, request.key]);
    return kept ? this.repeat(request, kept, hash) : undefined;
  }

  private repeat(request: IdempotentRequest, kept: IdempotencyRow, hash: Buffer): StoredResponse {
    if (!kept.requestHash.equals(hash))
      throw new DomainError(
        'invalid',
        'idempotency_key_reused',
        'This Idempotency-Key was used for a different request.',
      );
    const { status, location, body } = kept;
    if (status !== null && body !== null) return { status, location, body: this.open(body, request) };
    if (this.clock.now().getTime() - kept.createdAt.getTime() < ABANDONED_AFTER_MS)
      throw new Conflict(
        'request_in_progress',
        'A request with this Idempotency-Key is still running. Try again in a second.',
      );
    throw new Conflict(
      'outcome_unknown',
      'A request with this Idempotency-Key was interrupted. Check whether it took effect, then use a new key.',
    );
  }

  async store(request: IdempotentRequest, { status, location, body }: StoredResponse): Promise<void> {
    const { accountId, grantId, key, isForm } = request;
    const { sealed, keyId } = this.box.seal(body, ownerOf(request));
    const kept = `${keyId}:${sealed.toString('base64')}`;
    await this.database.account(accountId).rows(isForm ? STORE_FORM : STORE, [grantId, key, status, location, kept]);
  }

  private open(kept: string, request: IdempotentRequest): string {
    const [keyId = '', sealed = ''] = kept.split(':');
    return this.box.open({ keyId, sealed: Buffer.from(sealed, 'base64') }, ownerOf(request));
  }

  async release({ accountId, grantId, key }: IdempotentRequest): Promise<void> {
    await this.database.account(accountId).rows(RELEASE, [grantId, key]);
  }
}

const ownerOf = ({ accountId, grantId, key }: IdempotentRequest): string => `${accountId}.${grantId}.${key}`;
