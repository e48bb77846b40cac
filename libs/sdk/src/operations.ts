import type { paths } from './openapi.js';

// The types of calls, taken from the OpenAPI document.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths] &
  `/v1/${string}`;

type OperationAt<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer Operation> ? Operation : never;

type At<T, Key extends PropertyKey> = T extends { [K in Key]: infer Value } ? Value : never;
type PathValues<O> = At<At<O, 'parameters'>, 'path'>;
type QueryValues<O> = O extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;
type JsonBody<O> = O extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: infer Content }
    ? Content extends { 'application/json': infer Json }
      ? Json
      : Content extends { 'multipart/form-data': unknown }
        ? FormData
        : never
    : never
  : never;

export interface CallOptions {
  /** Default: a random key for each POST. */
  readonly idempotencyKey?: string;
  /** The server returns 412 unless the record still has this ETag. */
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
  /** Default: the timeout of the client. */
  readonly timeoutMs?: number;
}

type PathPart<O> = [PathValues<O>] extends [never] ? object : { readonly path: PathValues<O> };
type QueryPart<O> = [QueryValues<O>] extends [never]
  ? object
  : object extends QueryValues<O>
    ? { readonly query?: QueryValues<O> }
    : { readonly query: QueryValues<O> };
type BodyPart<O> = [JsonBody<O>] extends [never]
  ? object
  : O extends { requestBody: object }
    ? { readonly body: JsonBody<O> }
    : { readonly body?: JsonBody<O> };

export type Options<P extends keyof paths, M extends Method> = CallOptions &
  PathPart<OperationAt<P, M>> &
  QueryPart<OperationAt<P, M>> &
  BodyPart<OperationAt<P, M>>;

export type Arguments<P extends keyof paths, M extends Method> =
  object extends Options<P, M> ? [options?: Options<P, M>] : [options: Options<P, M>];

type Answers<O> = At<O, 'responses'>;
type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Json } } ? Json : never;

/** The body of a successful response; undefined if it has none. */
export type Result<P extends keyof paths, M extends Method> = [SuccessOf<Answers<OperationAt<P, M>>>] extends [never]
  ? undefined
  : SuccessOf<Answers<OperationAt<P, M>>>;
type SuccessOf<A> = JsonOf<At<A, 200>> | JsonOf<At<A, 201>> | JsonOf<At<A, 202>>;

export type ListPath = {
  [P in PathOf<'get'>]: Result<P, 'get'> extends { meta: { pagination: object } } ? P : never;
}[PathOf<'get'>];

/** A record of a list, from the array beside `meta`. */
export type ItemOf<P extends ListPath> =
  Result<P, 'get'> extends infer Page
    ? { [Name in Exclude<keyof Page, 'meta'>]: Page[Name] extends readonly (infer Item)[] ? Item : never }[Exclude<
        keyof Page,
        'meta'
      >]
    : never;

export interface UntypedOptions extends CallOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
