import { type JsonSchema, SCHEMAS, ref } from '#libs/payloads';

/** Schemas under names of their own: what a generator makes of the document gets these names. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = { ...SCHEMAS };

  /** A reference to it. Two schemas of one name would be mistaken for each other. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const known = this.all[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas of the OpenAPI document are called ${name}`);
    this.all[name] = schema;
    return ref(name);
  }
}
