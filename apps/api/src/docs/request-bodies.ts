import { type JsonSchema, objectOf } from '#libs/payloads';
import type { Dto } from '../http/route-dtos.js';
import { dtoName, dtoSchemas } from './dto-schema.js';
import type { NamedSchemas } from './named-schemas.js';

/** The body of a route, as JSON and, where a form can say it, as a form. */
export function requestBodyOf(dto: Dto, schemas: NamedSchemas, example?: unknown) {
  for (const [name, schema] of Object.entries(dtoSchemas(dto))) schemas.add(name, schema);
  const name = dtoName(dto);
  const schema = schemas.all[name]!;
  const form = canBeForm(schema) && {
    'application/x-www-form-urlencoded': {
      schema: schemas.add(`${name}Form`, withoutNull(schema)),
      encoding: encodingOf(schema),
    },
  };
  return {
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': { schema: schemas.add(name, schema), ...(example !== undefined && { example }) },
      ...form,
    },
  };
}

export const multipartBodyOf = (maxItems: number, schemas: NamedSchemas) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: schemas.add(
        'Files',
        objectOf({
          files: {
            type: 'array',
            description: 'The files, each under its own name.',
            minItems: 1,
            maxItems,
            items: { type: 'string', format: 'binary' },
          },
        }),
      ),
    },
  },
});

export const mailBodyOf = (schemas: NamedSchemas) => ({
  required: true,
  content: {
    'message/rfc822': {
      schema: schemas.add('RawMail', {
        type: 'string',
        format: 'binary',
        description: 'The mail with its headers, as it was received.',
      }),
    },
  },
});

/** What a form sends is text, so a number would be refused. */
const canBeForm = ({ properties = {} }: JsonSchema): boolean =>
  Object.values(properties).every(({ items }) => items?.type !== 'integer');

/** A form has no null: it leaves the field out, or names the word that stands for it. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, properties, ...rest } = schema;
  return {
    ...rest,
    ...(type !== undefined && { type: [type].flat().find((one) => one !== 'null')! }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withoutNull(field)])),
    }),
  };
}

/** A list is separated by commas, and the fields of an object stand in brackets. */
function encodingOf({ properties = {} }: JsonSchema) {
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
