import type { JsonSchema } from '#libs/payloads';
import * as fc from 'fast-check';
import type { OpenApiSpec } from '../../support/openapi-contract.js';
import { hostileBodyText, hostileContentType, hostileText, hostileValue } from './hostile.js';

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

/** Words that name something in the account, so that requests get past the first check. */
export type Known = readonly string[];

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly schema?: JsonSchema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface Target {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Requests over every route of the document, each part of them mostly right, sometimes absent, sometimes hostile. */
export function fuzzRequests(document: OpenApiSpec, known: Known): fc.Arbitrary<FuzzRequest> {
  const targets = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation: operation as Operation,
      })),
    );
  // What was deleted answers nothing any more, so little is deleted.
  return fc.oneof(
    ...targets.map((target) => ({ weight: target.method === 'DELETE' ? 1 : 10, arbitrary: requestTo(target, known) })),
  );
}

function requestTo({ path, method, operation }: Target, known: Known): fc.Arbitrary<FuzzRequest> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const noPayload = method === 'GET' || method === 'DELETE';
  return fc
    .record({
      url: addressOf(path, operation.parameters ?? [], known),
      headers,
      payload: noPayload ? fc.constant(undefined) : payloadOf(schema ?? {}, known),
    })
    .map(({ url, headers: sent, payload }) => ({
      method,
      url,
      headers: { ...sent, ...(payload && { 'content-type': payload.type }) },
      ...(payload && { payload: payload.text }),
    }));
}

const mostly = <T>(right: fc.Arbitrary<T>, hostile: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: right }, { weight: 1, arbitrary: hostile });

function addressOf(path: string, parameters: readonly Parameter[], known: Known): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    const right = part === '{number}' ? fc.integer({ min: 1, max: 80 }).map(String) : fc.constantFrom(...known);
    return mostly(right, hostileText).map(encoded);
  });
  const query = parameters.filter(({ in: place, name }) => place === 'query' && name !== undefined);
  const asked = fc.subarray(query).chain((chosen) => fc.tuple(...chosen.map((parameter) => pairOf(parameter, known))));
  return fc
    .tuple(fc.tuple(...parts), asked)
    .map(([segments, pairs]) => `${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`);
}

const pairOf = ({ name, schema = {} }: Parameter, known: Known): fc.Arbitrary<string> =>
  mostly(rightValue(schema, known).map(String), hostileText).map((text) => `${name}=${encoded(text)}`);

/** As far as it can be: half a surrogate pair has no percent-encoding. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '%ED%A0%80'));

const headers: fc.Arbitrary<Record<string, string>> = mostly(
  fc.constant({}),
  fc.record(
    {
      'if-match': fc.constantFrom('*', '"x"', 'W/"x"', ',,,', '"'.repeat(300)),
      'if-none-match': fc.constantFrom('*', '"x"', ',,'),
      'idempotency-key': fc.oneof(fc.uuid(), fc.constantFrom('same', '', 'ü', 'x'.repeat(400))),
      'x-request-id': fc.constantFrom('abc', 'a b', 'ü', 'x'.repeat(1000)),
      accept: fc.constantFrom('*/*', 'text/html', 'nonsense'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, string>>,
  3,
);

interface Payload {
  readonly type: string;
  readonly text: string;
}

function payloadOf(schema: JsonSchema, known: Known): fc.Arbitrary<Payload | undefined> {
  const fields = Object.entries(schema.properties ?? {});
  const right = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, mostly(rightValue(field, known), hostileValue, 30)])),
    { requiredKeys: [...(schema.required ?? [])] },
  );
  const hostile = fc.dictionary(
    fc.oneof(hostileText, fc.constantFrom(...fields.map(([name]) => name), 'a')),
    hostileValue,
  );
  const json = mostly<object>(right, hostile).map((body) => ({ type: 'application/json', text: JSON.stringify(body) }));
  const form = fc.array(fc.tuple(fc.constantFrom(...fields.map(([name]) => name), 'a'), hostileText)).map((pairs) => ({
    type: 'application/x-www-form-urlencoded',
    text: pairs.map(([name, text]) => `${encoded(name)}=${encoded(text)}`).join('&'),
  }));
  const anything = fc.record({ type: hostileContentType, text: hostileBodyText });
  return fc.oneof(
    { weight: 12, arbitrary: json },
    { weight: 2, arbitrary: form },
    { weight: 1, arbitrary: anything },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const TIMES = ['2026-01-31T12:00:00Z', '2026-01-31', '2026-01-31T12:00:00.123456+02:00'];

/** A value that the schema allows. */
function rightValue(schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.examples) return fc.constantFrom(...TIMES);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => rightValue(one, known)));
  const type = [schema.type].flat()[0];
  if (type === 'integer') return fc.integer({ min: 1, max: 60 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'array') return fc.array(rightValue(schema.items ?? {}, known), { maxLength: 5 });
  if (type === 'object') return objectOf(schema, known);
  if (schema.format === 'email') return fc.oneof(fc.constantFrom(...known.filter(isEmail)), newAddress);
  return fc.oneof(fc.constantFrom(...known), fc.lorem({ maxCount: 6 }));
}

const isEmail = (text: string): boolean => text.includes('@');
const newAddress = fc.nat(500).map((number) => `fuzz-${number}@client.test`);

const objectOf = (schema: JsonSchema, known: Known): fc.Arbitrary<unknown> =>
  schema.properties
    ? fc.record(
        Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, rightValue(field, known)])),
        { requiredKeys: [...(schema.required ?? [])] },
      )
    : fc.dictionary(fc.lorem({ maxCount: 1 }), fc.oneof(fc.lorem({ maxCount: 1 }), fc.integer(), fc.constant(null)), {
        maxKeys: 5,
      });
