import { objectOf } from '#libs/payloads';
import type { Dto } from '../edge/route-dtos.js';
import { dtoSchemas } from './dto-schema.js';
import { dtoName } from './rule-schemas.js';
import { canBeForm, encodingOf, formSchemaOf } from './form-schemas.js';
import type { NamedSchemas } from './named-schemas.js';

/** The body of a route, as JSON and, where a form can say it, as a form. */
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
