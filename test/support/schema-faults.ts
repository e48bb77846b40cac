import type { JsonSchema } from '#libs/payloads';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (one: Ajv2020) => void)(ajv);

/** A value that the schema forbids, and the reason. */
export interface Fault {
  readonly about: string;
  readonly value: unknown;
}

const OF_WRONG_TYPE: readonly unknown[] = [null, 42, 1.5, true, { x: 1 }, ['x'], [['x']], [1]];
const WRONG_TEXTS: readonly string[] = [
  '',
  '\0',
  'nonsense\0',
  'no email address',
  '@',
  'a@b',
  'a b@client.test',
  'ana@client.test\r\nBcc: all@client.test',
  '2026-13-01',
  '2026-01-31T12:00:00',
  'tomorrow',
  '1969-12-31T12:00:00Z',
  'ftp://receiver.test/',
  'https://',
  'https://user:password@receiver.test/',
  'https://receiver.test/#here',
  'https://receiver.test/a b',
  'https://999.1.1.1/',
  'whsec_',
  'whsec_c2hvcnQ=',
  'a.b',
  'nonsense',
];

/** Variants of a valid body with one wrong field each, in every known way, and without each required field. */
export function faultsIn(schema: JsonSchema, valid: Readonly<Record<string, unknown>>): Fault[] {
  const isValid = ajv.compile(schema);
  const without = (schema.required ?? []).map((name) => ({
    about: `no ${name}`,
    value: Object.fromEntries(Object.entries(valid).filter(([field]) => field !== name)),
  }));
  const wrong = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    wrongValuesOf(field).map(({ about, value }) => ({
      about: `${name}: ${about}`,
      value: { ...valid, [name]: value },
    })),
  );
  return [...without, ...wrong].filter(({ value }) => !isValid(value));
}

export function wrongValuesOf(schema: JsonSchema): Fault[] {
  const isValid = ajv.compile(schema);
  const all = [
    ...OF_WRONG_TYPE,
    // The API accepts a text with commas for a list, and `true` and `1` for booleans, which no schema describes.
    ...(takes(schema, 'array') ? [] : WRONG_TEXTS),
    ...(schema.maxLength === undefined
      ? []
      : ['x'.repeat(schema.maxLength + 1), `${'x'.repeat(schema.maxLength)}@a.test`]),
    ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
    ...(schema.items ? listsOf(schema) : []),
    ...(schema.oneOf ?? []).flatMap(({ properties, required = [] }) =>
      properties ? partsOf(properties, required) : [],
    ),
    ...(schema.additionalProperties ? [{ x: {} }, { x: ['y'] }, { 'x\0': 1 }, { x: '\0' }] : []),
    ...(schema.maxProperties === undefined
      ? []
      : [Object.fromEntries([...Array(schema.maxProperties + 1).keys()].entries())]),
  ];
  return all.filter((value) => !isValid(value)).map((value) => ({ about: short(value), value }));
}

const takes = ({ type }: JsonSchema, one: string): boolean => [type].flat().includes(one);

function listsOf({ items = {}, maxItems, uniqueItems }: JsonSchema): unknown[] {
  const good = items.enum?.[0] ?? (items.type === 'integer' ? 1 : 'x');
  return [
    [],
    ...wrongValuesOf(items).map(({ value }) => [value]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => good)]),
    ...(uniqueItems ? [[good, good]] : []),
  ];
}

function partsOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): unknown[] {
  const least = Object.fromEntries(required.map((name) => [name, 'ana@client.test']));
  const wrong = Object.entries(properties).flatMap(([name, field]) =>
    wrongValuesOf(field).map(({ value }) => ({ ...least, [name]: value })),
  );
  return [{}, ...wrong];
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
};
