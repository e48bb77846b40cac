import { createHash } from 'node:crypto';
import type { JsonSchema } from './json-schema.js';
import type { Links } from './links.js';

type Field<Row> = readonly [schema: JsonSchema, value: Extract<keyof Row, string> | Value<Row>];
type Value<Row> = (row: Row, links: Links) => unknown;
type Fields<Row> = Readonly<Record<string, Field<Row>>>;

/** Turns a row into the record that is sent. Fields that are not listed are never sent. */
export interface RecordPayload<Row> {
  (row: Row, links: Links): Record<string, unknown>;
  readonly schema: Required<Pick<JsonSchema, 'type' | 'description' | 'properties' | 'required'>>;
  readonly fields: Fields<Row>;
}

export function recordPayload<Row>(description: string, fields: Fields<Row>): RecordPayload<Row> {
  const entries = Object.entries(fields).map(([name, field]) => [name, checkedValueOf(name, field)] as const);
  const empty = Object.fromEntries(entries.map(([name]) => [name, null]));
  const payload = (row: Row, links: Links) => {
    // Copying an object is faster than adding fields one by one.
    const record: Record<string, unknown> = { ...empty };
    for (const [name, value] of entries) record[name] = value(row, links);
    return record;
  };
  const properties = Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema]));
  return Object.assign(payload, {
    schema: { type: 'object', description, properties, required: Object.keys(fields) },
    fields,
  });
}

export function fieldsOf<Part, Row>({ fields }: RecordPayload<Part>, partOf: (row: Row) => Part): Fields<Row> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = valueOf(field);
      return [name, [field[0], (row: Row, links: Links) => value(partOf(row), links)]];
    }),
  );
}

/** A row without a promised value is a bug and must not be signed and sent. */
function checkedValueOf<Row>(name: string, field: Field<Row>): Value<Row> {
  const value = valueOf(field);
  if (allowsNull(field[0])) return (row, links) => value(row, links) ?? null;
  return (row, links) => {
    const shown = value(row, links);
    if (shown === null || shown === undefined) throw new Error(`A row has no value for ${name}, which is never null`);
    return shown;
  };
}

const allowsNull = ({ type, anyOf }: JsonSchema): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some((one) => allowsNull(one)) ?? false);

const valueOf = <Row>([, value]: Field<Row>): Value<Row> =>
  typeof value === 'function' ? value : (row) => row[value as keyof Row];

/** A strong ETag: responses with the same tag have the same bytes. */
export const entityTagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;

export const entityTag = (body: object): string => entityTagOf(JSON.stringify(body));
