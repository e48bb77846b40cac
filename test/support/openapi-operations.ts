import { type JsonSchema, SCHEMAS } from '#libs/payloads';
import type { OpenApiSpec } from './openapi-contract.js';

interface OperationObject {
  readonly parameters: readonly { $ref?: string; name: string; in: string; schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

/** An operation of `/v1` in `/openapi.json`. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  /** In the order of the path. */
  readonly inPath: readonly Parameter[];
  readonly inQuery: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly contentType: string | undefined;
  /** The body as a form, if the operation accepts one. */
  readonly form: JsonSchema | undefined;
  /** Sets of scopes, each of which is sufficient. Empty if any token is. */
  readonly ways: readonly (readonly string[])[];
  readonly takesIfMatch: boolean;
}

/** Reads come first and deletions last, so that a walk through all operations finds its records. */
export function operationsOf(document: OpenApiSpec): Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, told]) =>
        operation(method.toUpperCase(), path, resolved(told, document) as OperationObject),
      ),
    )
    .sort((one, other) => sortKeyOf(one) - sortKeyOf(other));
}

/** With the schemas of its bodies resolved. */
function resolved(part: unknown, document: OpenApiSpec): unknown {
  if (Array.isArray(part)) return part.map((one) => resolved(one, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as { $ref?: unknown };
  const name = typeof $ref === 'string' ? /^#\/components\/schemas\/(\w+)$/.exec($ref)?.[1] : undefined;
  if (name !== undefined) return resolved(document.components['schemas']?.[name], document);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value, document)]));
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A part of a record before the record itself. */
const sortKeyOf = ({ method, path }: Operation): number => METHODS.indexOf(method) * 100 - path.split('/').length;

function operation(method: string, path: string, { parameters, requestBody, security }: OperationObject): Operation {
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const at = (place: string) => parameters.filter((parameter) => parameter.in === place);
  return {
    method,
    path,
    name: `${method} ${path}`,
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => at('path').find((one) => one.name === name)!),
    inQuery: at('query'),
    body: content?.schema,
    contentType,
    form: requestBody?.content['application/x-www-form-urlencoded']?.schema,
    ways: security.flatMap(({ oauth2 = [] }) => (oauth2.length > 0 ? [oauth2] : [])),
    takesIfMatch: parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch')),
  };
}

export function requestPathOf({ path }: Operation, words: readonly string[]): string {
  const left = [...words];
  return path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift() ?? ''));
}

/** The minimum body of the schema, with each text made by `text`. */
export function minimalValueOf(
  schema: JsonSchema,
  text: (name: string, schema: JsonSchema) => unknown,
  name = '',
): unknown {
  const type = [schema.type].flat()[0];
  if (schema.oneOf && !schema.properties) return minimalValueOf(schema.oneOf[0]!, text, name);
  if (schema.enum) return schema.enum[0];
  if (type === 'object') {
    const names = [...(schema.required ?? []), ...oneOfThese(schema)];
    const required = names.map((field) => [field, schema.properties![field]!] as const);
    return Object.fromEntries(required.map(([field, own]) => [field, minimalValueOf(own, text, field)]));
  }
  if (type === 'array') return [minimalValueOf(schema.items ?? { type: 'string' }, text, name)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return text(name, schema);
}

/** The first field of which the schema requires one in words: “Exactly one of `event` and `events` is required.” */
const oneOfThese = ({ description = '' }: JsonSchema): string[] =>
  /^(?:Exactly|At least) one of `(\w+)`/.exec(description)?.slice(1) ?? [];

/** Fields in which customers and agents describe themselves refer to nothing else. */
const PROFILE_FIELDS = new Set(Object.keys(SCHEMAS.Customer.properties ?? {}).filter((name) => name !== 'email'));

/** The minimum body, and one variant for each field that could refer to `word`. */
export function bodiesReferring(
  schema: JsonSchema,
  word: string,
  text: (name: string, schema: JsonSchema) => unknown,
): object[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name, field]) => !field.enum && !PROFILE_FIELDS.has(name))
    .flatMap(([name, field]) =>
      valuesReferring(field, word).map((value) => ({ ...(minimalValueOf(schema, text) as object), [name]: value })),
    );
}

function valuesReferring(field: JsonSchema, word: string): unknown[] {
  if (field.oneOf) return field.oneOf.flatMap((way) => valuesReferring(way, word));
  const type = [field.type].flat()[0];
  if (type === 'string') return [word];
  if (type === 'array') return [[word]];
  if (type === 'object' && field.properties?.['email']) return [{ email: word }];
  return [];
}
