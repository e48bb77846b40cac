import { type JsonSchema, objectOf } from '#libs/payloads';
import type { Dto } from '../layers/edge/nest-internals.js';
import { type NamedSchemas, WITHOUT_NUL, dtoName, dtoSchemas } from './dto-schema.js';

/** The body of a route as JSON and, unless it has a list of integers, as a form. */
export function requestBodyOf(dto: Dto, schemas: NamedSchemas, example?: unknown) {
  for (const [name, schema] of Object.entries(dtoSchemas(dto))) schemas.add(name, schema);
  const name = dtoName(dto);
  const schema = schemas.all[name]!;
  const form = canBeForm(schema) && {
    'application/x-www-form-urlencoded': {
      schema: schemas.add(`${name}Form`, formSchemaOf(schema, schemas)),
      encoding: encodingOf(schema),
    },
  };
  return {
    required: (schema.required ?? []).length > 0 || [schema.anyOf, schema.oneOf].some((ways) => ways !== undefined),
    content: {
      'application/json': { schema: schemas.add(name, schema), ...(example !== undefined && { example }) },
      ...form,
    },
  };
}

const BINARY: JsonSchema = { type: 'string', format: 'binary' };

export function multipartBodyOf(maxItems: number, schemas: NamedSchemas) {
  const description = 'The files, each with its name.';
  const files = objectOf({ files: { type: 'array', description, minItems: 1, maxItems, items: BINARY } });
  return { required: true, content: { 'multipart/form-data': { schema: schemas.add('Files', files) } } };
}

export function mailBodyOf(schemas: NamedSchemas) {
  const mail = { ...BINARY, description: 'The mail with its headers, as it was received.' };
  return { required: true, content: { 'message/rfc822': { schema: schemas.add('RawMail', mail) } } };
}

/** A form sends text, which a list of integers would refuse. */
const canBeForm = ({ properties = {} }: JsonSchema): boolean =>
  Object.values(properties).every(({ items }) => items?.type !== 'integer');

/** Lists are separated by commas; the fields of an object are in brackets. */
function encodingOf({ properties = {} }: JsonSchema) {
  const styles = Object.entries(properties).map(([name, { type, items, oneOf }]) => {
    const isObject = oneOf !== undefined || [type].flat().includes('object');
    return [name, items ? { style: 'form', explode: false } : isObject && { style: 'deepObject', explode: true }];
  });
  return Object.fromEntries(styles.filter(([, style]) => style)) as Readonly<Record<string, object>>;
}

function formSchemaOf(schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, fieldOf(field, required.has(name), schemas)] as const,
  );
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** An empty form field counts as absent, so a required one has a minimum length. */
function fieldOf(field: JsonSchema, isRequired: boolean, schemas: NamedSchemas): JsonSchema {
  if (field.oneOf) return { ...field, oneOf: field.oneOf.map((way) => nestedIn(way, schemas)) };
  const own = withoutNull(field);
  if (own.type === 'object')
    return { ...own, additionalProperties: { type: 'string', minLength: 1, pattern: WITHOUT_NUL } };
  if (!isRequired || own.enum) return own;
  return own.type === 'array' ? { minItems: 1, ...own } : { minLength: 1, ...own };
}

/** OpenAPI cannot describe an object inside an object of a form, so those fields are left out. */
function nestedIn(way: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const name = way.$ref?.split('/').at(-1);
  if (name === undefined) return way;
  const { properties = {}, ...schema } = schemas.all[name]!;
  const flat = Object.entries(properties).filter(([, { type }]) => ![type].flat().includes('object'));
  return schemas.add(`${name}Form`, formSchemaOf({ ...schema, properties: Object.fromEntries(flat) }, schemas));
}

/** Forms, queries and assistants do not send null: they leave the field out. */
export function withoutNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type: [type].flat().find((one) => one !== 'null')! }),
    ...rest,
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}
