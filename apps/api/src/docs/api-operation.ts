import type { EventKind } from '#libs/payloads';
import { SetMetadata } from '@nestjs/common';
import type { JsonSchema, SchemaName } from '#libs/payloads';

/** A record under its name: `{"ticket": {…}}`. */
export type Wrapped = readonly [name: string, schema: SchemaName];

/** What the OpenAPI document says of a route beyond what the route's own decorators say. */
export interface Description {
  readonly summary: string;
  readonly one?: Wrapped;
  readonly list?: Wrapped;
  readonly created?: Wrapped;
  /** Answered 202: it is done in the background. */
  readonly accepted?: Wrapped;
  /** Several at once, under their plural name. */
  readonly createdAll?: Wrapped;
  /** Takes files instead of fields. */
  readonly files?: { readonly most: number };
  /** An answer of another shape. */
  readonly answers?: JsonSchema;
  /** Codes of the 409 answers. */
  readonly conflicts?: readonly string[];
  /** It asks for a record by something other than its path. */
  readonly names?: boolean;
  /** Kinds of events it may emit. */
  readonly emits?: readonly EventKind[];
}

export const DESCRIPTION = 'docs:description';

export const Describe = (summary: string, description: Omit<Description, 'summary'> = {}) =>
  SetMetadata(DESCRIPTION, { summary, ...description } satisfies Description);
