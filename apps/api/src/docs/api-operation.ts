import type { EventKind } from '#libs/payloads';
import { SetMetadata } from '@nestjs/common';
import type { JsonSchema, SchemaName } from '#libs/payloads';

/** A record under its name: `{"ticket": {…}}`. */
export type NamedSchema = readonly [name: string, schema: SchemaName];

/** What the OpenAPI document says of a route beyond what the route's own decorators say. */
export interface ApiOperationOptions {
  readonly summary: string;
  readonly record?: NamedSchema;
  readonly list?: NamedSchema;
  readonly created?: NamedSchema;
  /** The response is 202: the work is done in the background. */
  readonly accepted?: NamedSchema;
  /** Several at once, under their plural name. */
  readonly createdAll?: NamedSchema;
  /** Takes files instead of fields. */
  readonly files?: { readonly most: number };
  /** An answer of another shape. */
  readonly responseSchema?: JsonSchema;
  /** Codes of the 409 answers. */
  readonly conflicts?: readonly string[];
  /** It can answer 404 for a record that its path does not name. */
  readonly canBeNotFound?: boolean;
  /** Kinds of events it may emit. */
  readonly emits?: readonly EventKind[];
}

export const API_OPERATION_KEY = 'docs:description';

export const ApiOperation = (summary: string, description: Omit<ApiOperationOptions, 'summary'> = {}) =>
  SetMetadata(API_OPERATION_KEY, { summary, ...description } satisfies ApiOperationOptions);
