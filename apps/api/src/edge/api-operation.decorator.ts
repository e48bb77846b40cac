import type { Page } from '#libs/lists';
import type { EventKind, JsonSchema, RECORDS, RecordName } from '#libs/payloads';
import { SetMetadata } from '@nestjs/common';

/** A record under its name: `{"ticket": {…}}`. */
export type NamedRecord = readonly [name: string, record: RecordName];

/** How a route answers: the interceptor makes the answer of it, and the OpenAPI document describes it. */
interface Options {
  readonly record?: NamedRecord;
  /** All of them at once, under their plural name. */
  readonly records?: NamedRecord;
  /** One page of them. */
  readonly list?: NamedRecord;
  /** A list without an end. */
  readonly feed?: NamedRecord;
  readonly created?: NamedRecord;
  /** Several at once, under their plural name. */
  readonly createdAll?: NamedRecord;
  /** The response is 202: the work is done in the background. */
  readonly accepted?: NamedRecord;
  /** An answer of another shape, sent as the handler returns it. */
  readonly responseSchema?: JsonSchema;
  /** Takes files instead of fields. */
  readonly files?: { readonly most: number };
  /** Takes a mail instead of fields. */
  readonly mail?: true;
  /** Its own codes of 409. Any change can also meet one that something else makes at that moment. */
  readonly conflicts?: readonly string[];
  /** It can answer 404 for a record that its path does not name. */
  readonly canBeNotFound?: boolean;
  /** Kinds of events it may emit. */
  readonly emits?: readonly EventKind[];
}

export interface ApiOperationOptions extends Options {
  readonly summary: string;
}

/** A part of a list without an end. Its cursor is where to go on, now or later. */
export interface Feed<Row> {
  readonly items: readonly Row[];
  readonly perPage: number;
  readonly cursor: string;
  readonly hasMore: boolean;
}

type RowOf<Named> = Named extends readonly [string, infer Name extends RecordName]
  ? Parameters<(typeof RECORDS)[Name]>[0]
  : never;

/** What a handler has to return for the answer that is declared. */
type Result<Declared extends Options> = Declared extends { list: infer Named }
  ? Page<RowOf<Named>>
  : Declared extends { feed: infer Named }
    ? Feed<RowOf<Named>>
    : Declared extends { created: infer One; createdAll: infer Named }
      ? RowOf<One> | readonly RowOf<Named>[]
      : Declared extends { records: infer Named } | { createdAll: infer Named }
        ? readonly RowOf<Named>[]
        : Declared extends { record: infer Named } | { created: infer Named } | { accepted: infer Named }
          ? RowOf<Named>
          : unknown;

export const API_OPERATION_KEY = 'http:api-operation';

/** Does not compile on a handler that returns something else than it declares. */
export const ApiOperation = <const Declared extends Options>(summary: string, options?: Declared) =>
  SetMetadata(API_OPERATION_KEY, { summary, ...options } satisfies ApiOperationOptions) as <
    Handler extends (...parameters: never[]) => Result<Declared> | Promise<Result<Declared>>,
  >(
    target: object,
    name: string | symbol,
    handler: TypedPropertyDescriptor<Handler>,
  ) => void;
