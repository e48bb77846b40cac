import { type AccountConnection, accountStatement } from '#libs/database';
import { IDEMPOTENCY_KEPT_DAYS } from '#libs/delivery';

interface IdempotencyKey {
  readonly grantId: string;
  readonly key: string;
}

const BEGIN = accountStatement(
  'idempotency_begin',
  `insert into idempotency_keys as k (account_id, grant_id, key, request_hash, created_at) values ($1, $2, $3, $4, $5)
   on conflict (account_id, grant_id, key) do update
     set request_hash = $4, created_at = $5, status = null, location = null, body = null
     where k.created_at < $5 - interval '${IDEMPOTENCY_KEPT_DAYS} days'
   returning true as begun`,
);

interface BegunRequest extends IdempotencyKey {
  readonly hash: Buffer;
  readonly at: Date;
}

/** Returns false if the key is still kept. */
export async function beginRequest(account: AccountConnection, request: BegunRequest): Promise<boolean> {
  const { grantId, key, hash, at } = request;
  return (await account.row(BEGIN, [grantId, key, hash, at])) !== undefined;
}

const FIND = accountStatement(
  'idempotency_find',
  `select request_hash as "requestHash", status, location, body, created_at as "createdAt"
   from idempotency_keys where account_id = $1 and grant_id = $2 and key = $3`,
);

export interface IdempotencyRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly location: string | null;
  readonly body: string | null;
  readonly createdAt: Date;
}

export const findRequest = (account: AccountConnection, { grantId, key }: IdempotencyKey) =>
  account.row<IdempotencyRow>(FIND, [grantId, key]);

const STORE = accountStatement(
  'idempotency_store',
  'update idempotency_keys set status = $4, location = $5, body = $6 where account_id = $1 and grant_id = $2 and key = $3',
);

/** One person sends fewer forms, and fewer bytes of pages, in the time in which one may be repeated. */
export const MAX_FORMS = 1000;
export const MAX_FORM_BYTES = 8 * 1024 * 1024;

const STORE_FORM = accountStatement(
  'idempotency_store_form',
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

interface EncryptedResponse {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

export async function storeResponse(
  account: AccountConnection,
  { grantId, key, isForm }: IdempotencyKey & { readonly isForm?: true },
  { status, location, body }: EncryptedResponse,
): Promise<void> {
  await account.rows(isForm ? STORE_FORM : STORE, [grantId, key, status, location, body]);
}

const RELEASE = accountStatement(
  'idempotency_release',
  'delete from idempotency_keys where account_id = $1 and grant_id = $2 and key = $3 and status is null',
);

export async function releaseKey(account: AccountConnection, { grantId, key }: IdempotencyKey): Promise<void> {
  await account.rows(RELEASE, [grantId, key]);
}
