import { type JsonSchema, SCHEMAS } from '#libs/payloads';

/** The records of webhooks. */
export const RECORD_NAMES = ['Ticket', 'Message', 'Customer', 'Agent'] as const;

/** Name, type and meaning of each field, as the schema of the record has them. */
export function fieldRows(record: (typeof RECORD_NAMES)[number]): string[][] {
  const { properties = {} }: JsonSchema = SCHEMAS[record];
  return Object.entries(properties).map(([name, schema]) => [`\`${name}\``, typeOf(schema), meaningOf(schema)]);
}

function meaningOf({ description = '', properties, items, $ref }: JsonSchema): string {
  if (description !== '') return description.replaceAll('|', String.raw`\|`);
  const referred = $ref ?? items?.$ref;
  if (referred !== undefined) return schemaOf(referred).description ?? '';
  const links = Object.entries(properties ?? {}).filter(([, one]) => one.$ref?.endsWith('/Link'));
  return links.length > 0 ? `Addresses: ${links.map(([name]) => `\`${name}\``).join(', ')}.` : '';
}

const schemaOf = (reference: string): JsonSchema =>
  (SCHEMAS as Readonly<Record<string, JsonSchema>>)[reference.split('/').at(-1)!] ?? {};

function typeOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.$ref) return 'object';
  const names = [schema.type ?? 'object'].flat().map((type) => {
    if (type === 'null') return '`null`';
    if (type === 'array') return `list of ${typeOf(schema.items ?? {})}s`;
    return FORMATS[schema.format ?? ''] ?? type;
  });
  return names.join(' or ');
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', uri: 'URL' };
