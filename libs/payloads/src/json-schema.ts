export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly default?: string | number | boolean;
  readonly title?: string;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const objectOf = (properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  properties,
  required: Object.keys(properties),
});

type Type = Pick<JsonSchema, 'type' | 'format' | 'enum' | 'minimum' | 'items'>;

const described = (schema: Type, description: string | undefined): JsonSchema => ({
  ...schema,
  ...(description !== undefined && { description }),
});

export const string: JsonSchema = { type: 'string' };
export const text = (description: string) => described(string, description);
export const nullableText = (description?: string) => described({ type: ['string', 'null'] }, description);
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const nullableTime: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const timeOrNull = (description: string) => described(nullableTime, description);
export const timeOf = (description: string) => described(time, description);
export const createdAt = timeOf('When the record was created.');
export const updatedAt = timeOf('When the record last changed.');
export const address: JsonSchema = { type: 'string', format: 'uri' };
export const addressOf = (description: string) => described(address, description);
export const href = addressOf('URL of this record.');
export const id = text('Opaque. Compare it, but do not parse it.');
export const email = string;
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const countOf = (description: string) => described(count, description);
export const integer = (description: string) => described({ type: 'integer' }, description);
export const integerOrNull = (description?: string) => described({ type: ['integer', 'null'] }, description);
export const flag = (description: string) => described({ type: 'boolean' }, description);
export const oneOf = (values: readonly string[], description?: string) =>
  described({ type: 'string', enum: values }, description);
export const oneOfOrNull = (values: readonly string[], description?: string) =>
  described({ type: ['string', 'null'], enum: [...values, null] }, description);
export const scalar: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'number', format: 'double' }, { type: 'boolean' }, { type: 'null' }],
};
export const refOrNull = (name: string, description?: string): JsonSchema => ({
  anyOf: [ref(name), { type: 'null' }],
  ...(description !== undefined && { description }),
});
export const listOf = (items: JsonSchema, description?: string) => described({ type: 'array', items }, description);

/** `{"assignee": {"href": …}}` */
export function linksTo(required: readonly string[], optional: readonly string[] = []): JsonSchema {
  const names = [...required, ...optional];
  return {
    type: 'object',
    description: 'URLs of related records.',
    properties: Object.fromEntries(names.map((name) => [name, ref('Link')])),
    required,
  };
}
