import { type JsonSchema, objectOf } from '#libs/payloads';
import type { Dto } from '../layers/edge/nest-internals.js';
import { type NamedSchemas, dtoName, dtoSchemas } from './dto-schema.js';

/** The body of a route as JSON and, unless it has a list of integers, as a form. */
export function requestBodyOf(dto: Dto, schemas: NamedSchemas, example?: unknown) {
  for (const [name, schema] of Object.entries(dtoSchemas(dto))) schemas.add(name, schema);
  const name = dtoName(dto);
  const schema = schemas.all[name]!;
  const form = canBeForm(schema) && {
    'application/x-www-form-urlencoded': {
      schema: schemas.add(`${name}Form`, formSchemaOf(schema)),
      encoding: encodingOf(schema),
    },
  };
  return {
    required: (schema.required ?? []).length > 0 || dto.oneOfThese !== undefined,
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

/** Lists are separated by commas. */
function encodingOf({ properties = {} }: JsonSchema) {
  const lists = Object.entries(properties).filter(([, { items }]) => items);
  return Object.fromEntries(lists.map(([name]) => [name, { style: 'form', explode: false }]));
}

/** Objects are left out, because code generators do not support their brackets. */
function formSchemaOf(schema: JsonSchema): JsonSchema {
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, fieldOf(field, required.has(name))] as const)
    .filter(([, { type }]) => type !== 'object');
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** An empty form field counts as absent, so a required one has a minimum length. */
function fieldOf({ oneOf: [text] = [], ...field }: JsonSchema, isRequired: boolean): JsonSchema {
  const own = withoutNull({ ...field, ...text });
  if (!isRequired || own.enum) return own;
  return own.type === 'array' ? { minItems: 1, ...own } : { minLength: 1, ...own };
}

/** Forms, queries and assistants do not send null: they leave the field out. */
export function withoutNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return {
    ...(type !== undefined && { type: [type].flat().find((one) => one !== 'null')! }),
    ...rest,
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}
