import 'reflect-metadata';
import type { FeedPage, Page } from '#libs/lists';
import type { EventKind, JsonSchema, RECORDS, RecordName } from '#libs/payloads';
import { HttpCode, SetMetadata, applyDecorators } from '@nestjs/common';

/** A record under its name: `{"ticket": {…}}`. */
export type NamedRecord = readonly [name: string, record: RecordName];

/** Read by ResponseInterceptor and by the OpenAPI document. */
interface Options {
  readonly record?: NamedRecord;
  readonly records?: NamedRecord;
  readonly list?: NamedRecord;
  /** A list that grows at its end. */
  readonly feed?: NamedRecord;
  readonly created?: NamedRecord;
  readonly createdAll?: NamedRecord;
  readonly accepted?: NamedRecord;
  readonly responseSchema?: JsonSchema;
  /** The schema of a 201, if the call made the record. */
  readonly mayCreate?: true;
  /** An import can return 200 with the record that exists already. */
  readonly mayExist?: true;
  /** Can return 301 with the record, whose URL has changed. */
  readonly moves?: true;
  readonly files?: { readonly most: number };
  readonly mail?: true;
  /** Codes of 409 besides those of concurrent changes. */
  readonly conflicts?: readonly string[];
  /** Can return 404 although the path names no record. */
  readonly canBeNotFound?: boolean;
  readonly emits?: readonly EventKind[];
}

export type ApiOperationOptions = Options & { readonly summary: string; readonly status: number };

type RowOf<Named> = Named extends readonly [string, infer Name extends RecordName]
  ? Parameters<(typeof RECORDS)[Name]>[0]
  : never;

type Result<Declared extends Options> = Declared extends { list: infer Named }
  ? Page<RowOf<Named>>
  : Declared extends { feed: infer Named }
    ? FeedPage<RowOf<Named>>
    : Declared extends { created: infer One; createdAll: infer Named }
      ? RowOf<One> | readonly RowOf<Named>[]
      : Declared extends { records: infer Named } | { createdAll: infer Named }
        ? readonly RowOf<Named>[]
        : Declared extends { record: infer Named } | { created: infer Named } | { accepted: infer Named }
          ? RowOf<Named>
          : unknown;

export const API_OPERATION_KEY = 'http:api-operation';

/** Compiles only on a handler that returns what it declares. Sets the status of the response. */
export function ApiOperation<const Declared extends Options>(summary: string, options?: Declared) {
  const status = statusOf(options ?? {});
  const operation = { summary, status, ...options } satisfies ApiOperationOptions;
  return applyDecorators(SetMetadata(API_OPERATION_KEY, operation), HttpCode(status)) as <
    Handler extends (...parameters: never[]) => Result<Declared> | Promise<Result<Declared>>,
  >(
    target: object,
    name: string | symbol,
    handler: TypedPropertyDescriptor<Handler>,
  ) => void;
}

function statusOf({ created, createdAll, accepted, record, records, list, feed, responseSchema }: Options): number {
  if (created ?? createdAll) return 201;
  if (accepted) return 202;
  return (record ?? records ?? list ?? feed ?? responseSchema) ? 200 : 204;
}

const API_DESCRIPTION_KEY = 'docs:about';

/** `default` is the value of an absent field. */
export type Description = { readonly words: string; readonly default?: string | number | boolean };

export const ApiDescription = (about: string | Description): PropertyDecorator =>
  Reflect.metadata(API_DESCRIPTION_KEY, typeof about === 'string' ? ({ words: about } satisfies Description) : about);

export const apiDescriptionOf = (target: object, property: string): Description | undefined =>
  Reflect.getMetadata(API_DESCRIPTION_KEY, target, property) as Description | undefined;
