import type { JsonSchema } from '#libs/payloads';
import type { NamedSchemas } from './named-schemas.js';

/** What a form sends is text, so a number would be refused. */
export const canBeForm = ({ properties = {} }: JsonSchema): boolean =>
  Object.values(properties).every(({ items }) => items?.type !== 'integer');

/** A list is separated by commas, and the fields of an object stand in brackets. */
export function encodingOf({ properties = {} }: JsonSchema) {
  const styles = Object.entries(properties).flatMap(([name, field]) => {
    const style = styleOf(field);
    return style ? [[name, style] as const] : [];
  });
  return Object.fromEntries(styles);
}

function styleOf({ type, items, oneOf }: JsonSchema) {
  if (items) return { style: 'form', explode: false };
  return oneOf || [type].flat().includes('object') ? { style: 'deepObject', explode: true } : undefined;
}

/** Of a body as a form: with its fields, and the fields of what is nested in it, as a form can send them. */
export function formSchemaOf(schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, fieldOf(field, { isRequired: required.has(name), schemas })] as const,
  );
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** An empty field is absent in a form, so one that has to be there is not empty. */
function fieldOf(
  field: JsonSchema,
  { isRequired, schemas }: { isRequired: boolean; schemas: NamedSchemas },
): JsonSchema {
  if (field.oneOf) return { ...field, oneOf: field.oneOf.map((way) => nestedIn(way, schemas)) };
  const own = withoutNull(field);
  if (own.type === 'object') return { ...own, additionalProperties: { ...TEXT, ...patternOf(own) } };
  if (!isRequired || own.enum) return own;
  return own.type === 'array' ? { minItems: 1, ...own } : { minLength: 1, ...own };
}

const TEXT: JsonSchema = { type: 'string', minLength: 1 };

const patternOf = ({ additionalProperties }: JsonSchema): JsonSchema =>
  typeof additionalProperties === 'object' && additionalProperties.pattern
    ? { pattern: additionalProperties.pattern }
    : {};

/** OpenAPI has no words for an object within an object of a form. */
function nestedIn(way: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const name = way.$ref?.split('/').at(-1);
  if (name === undefined) return way;
  const { properties = {}, ...schema } = schemas.all[name]!;
  const flat = Object.entries(properties).filter(([, { type }]) => ![type].flat().includes('object'));
  return schemas.add(`${name}Form`, formSchemaOf({ ...schema, properties: Object.fromEntries(flat) }, schemas));
}

/** A form has no null, nor has a query: it leaves the field out, or names the word that stands for it. */
export function withoutNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type: [type].flat().find((one) => one !== 'null')! }),
    ...rest,
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}
