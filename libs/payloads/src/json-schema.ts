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
}

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

export const string: JsonSchema = { type: 'string' };
export const text = (description: string): JsonSchema => ({ type: 'string', description });
export const nullableText = (description?: string): JsonSchema => ({
  type: ['string', 'null'],
  ...(description !== undefined && { description }),
});
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const nullableTime: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
export const address: JsonSchema = { type: 'string', format: 'uri' };
export const id: JsonSchema = { type: 'string', description: 'Opaque; compare it, do not take it apart.' };
export const email: JsonSchema = { type: 'string' };
export const count: JsonSchema = { type: 'integer', minimum: 0 };
export const oneOf = (values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });
export const oneOfOrNull = (values: readonly string[]): JsonSchema => ({
  type: ['string', 'null'],
  enum: [...values, null],
});

/** `{"assignee": {"href": …}}` */
export function linksTo(required: readonly string[], optional: readonly string[] = []): JsonSchema {
  const names = [...required, ...optional];
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, ref('Link')])),
    required,
  };
}
