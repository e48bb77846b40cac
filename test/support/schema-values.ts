import type { JsonSchema } from '#libs/payloads';
import * as fc from 'fast-check';
import { EMAIL } from '../../apps/api/src/layers/edge/field-patterns.js';

export function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const ways = schema.properties ? undefined : (schema.oneOf ?? schema.anyOf);
  if (ways) return fc.oneof(...ways.map(valuesOf));
  const types = [schema.type ?? 'string'].flat();
  return fc.oneof(...types.map((type) => VALUES[type]!(schema)));
}

const VALUES: Readonly<Record<string, (schema: JsonSchema) => fc.Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1_000_000, maximum = 1_000_000_000 }) => fc.integer({ min: minimum, max: maximum }),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  string: (schema) => texts(schema),
  array: ({ items = {}, minItems = 0, maxItems = 5, uniqueItems = false }) =>
    uniqueItems
      ? fc.uniqueArray(valuesOf(items), { minLength: minItems, maxLength: Math.min(maxItems, 5) })
      : fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.min(maxItems, 5) }),
  object: (schema) => (schema.properties ? objects(schema) : dictionaries(schema)),
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  email: fc.stringMatching(EMAIL),
  uuid: fc.uuid(),
  uri: fc.webUrl({ withQueryParameters: true }),
  'date-time': fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString()),
};

/** Texts of all lengths up to a line: half a megabyte would prove no more. */
function texts({ format = '', pattern, minLength = 0, maxLength = 300 }: JsonSchema): fc.Arbitrary<string> {
  const fits = (text: string): boolean => {
    const { length } = Array.from(text);
    return length >= minLength && length <= maxLength;
  };
  const formatted = FORMATS[format];
  if (formatted) return formatted.filter((text) => fits(text) && new RegExp(pattern ?? '', 'u').test(text));
  if (pattern === undefined || pattern === String.raw`^[^\u0000]*$`)
    return fc
      .string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 300) })
      .filter((text) => fits(text) && !text.includes('\0'));
  return fc.stringMatching(new RegExp(pattern, 'u')).filter(fits);
}

function objects({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]));
  return fc.record(fields, { requiredKeys: [...required] });
}

const dictionaries = ({ additionalProperties, propertyNames = {} }: JsonSchema): fc.Arbitrary<unknown> =>
  fc.dictionary(
    texts(propertyNames).filter((name) => name !== '__proto__'),
    valuesOf(typeof additionalProperties === 'object' ? additionalProperties : {}),
    { maxKeys: 5 },
  );
