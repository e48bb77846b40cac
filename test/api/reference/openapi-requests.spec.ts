// @module-tag long
import type { JsonSchema } from '#libs/payloads';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { type NamedRecords, recordsToName, wordsFor } from '#test/support/named-records.js';
import { type Operation, operationsOf, requestPathOf } from '#test/support/openapi-operations.js';
import { type Fault, faultsIn, wrongValuesOf } from '#test/support/schema-faults.js';
import { valuesOf } from '#test/support/schema-values.js';

/** Produces the same requests in every run. */
const SEED = 20_260_131;
/** Requests per operation. */
const REQUESTS = 8;
const FORM = 'application/x-www-form-urlencoded';

/** Error codes that no schema can express: they depend on stored records, the time or the meaning of a search. */
const UNSAYABLE = new Set([
  'already_registered',
  'before_created_at',
  'cc_of_note',
  'credentials_required',
  'empty_range',
  'in_the_future',
  'in_the_past',
  'invalid_cursor',
  'invalid_filter',
  'invalid_search',
  'not_authentication',
  'not_changeable',
  'not_closed',
  'not_current',
  'note_by_customer',
  'not_custom_fields',
  'not_headers',
  'own_address',
  'page_too_far',
  'too_many_tags',
  'too_many_words',
  'unencrypted',
  'unknown_agent',
  'unknown_assigned_group',
  'unknown_assignee',
  'unknown_author',
  'unknown_mailbox',
  'url_port',
]);

/** Fields that are required depending on stored values and on each other. */
const UNSAYABLE_OF = new Set([
  'assigned_group required',
  'event required',
  'events one_of_two',
  'into same_ticket',
  'into unknown_into',
  'password required',
  'subject one_of_two',
  'title required',
  'username required',
]);

const desk = deskForFile();
let records: NamedRecords;
let operations: Operation[];
beforeAll(async () => {
  records = await recordsToName(desk);
  operations = operationsOf(desk.contract.document).filter(
    ({ contentType }) => contentType !== 'multipart/form-data' && contentType !== 'message/rfc822',
  );
});

const samples = <T>(values: fc.Arbitrary<T>, count: number): T[] => fc.sample(values, { numRuns: count, seed: SEED });

type Fields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly operation: Operation;
  readonly query?: Fields | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send({ operation, query = {}, body, headers = {} }: Sent): Promise<ApiResponse> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const path = requestPathOf(operation, wordsFor(operation.path, records));
  return desk.client().send(operation.method, `${path}${search.size > 0 ? `?${search}` : ''}`, body, headers);
}

/** Encodes `to[email]=` for a field of an object, and commas in a list, as the document describes forms. */
function formOf(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([key, part]) => [`${name}[${key}]`, String(part)])
      : [[name, String(value)]],
  );
  return new URLSearchParams(pairs).toString();
}

const queriesOf = ({ inQuery }: Operation): fc.Arbitrary<Fields> =>
  fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, valuesOf(schema)])), {
    requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
  });

/** Generates header values from their pattern in the document. */
function headersOf(name: string, count: number): Record<string, string>[] {
  const { schema } = desk.contract.document.components['parameters']![name] as { schema: JsonSchema };
  return samples(valuesOf(schema), count).map((value) => ({ [HEADERS[name]!]: String(value) }));
}

const HEADERS: Readonly<Record<string, string>> = { IdempotencyKey: 'idempotency-key', IfMatch: 'if-match' };

/** Returns the request when it was refused although the document allows it. */
function refusalIn(sent: Sent, { status, body, text }: ApiResponse): string[] {
  if (status < 400 || [404, 409].includes(status)) return [];
  if (status === 412 && sent.headers?.['if-match'] !== undefined) return [];
  const errors = (body?.errors ?? []) as { field: string; code: string }[];
  const isUnsayable = errors.every(({ field, code }) => UNSAYABLE.has(code) || UNSAYABLE_OF.has(`${field} ${code}`));
  if (status === 422 && errors.length > 0 && isUnsayable) return [];
  return [
    `${sent.operation.name} ${status} ${text.slice(0, 500)} ${JSON.stringify(sent.query ?? {})} ${JSON.stringify(sent.body)}`.slice(
      0,
      1500,
    ),
  ];
}

async function refused(all: readonly Sent[]): Promise<string[]> {
  const found: string[] = [];
  for (const sent of all) found.push(...refusalIn(sent, await send(sent)));
  return found;
}

describe('a request that the OpenAPI document allows', () => {
  it('succeeds with a JSON body', async () => {
    const sent = operations.flatMap((operation) =>
      operation.body ? samples(valuesOf(operation.body), REQUESTS).map((body) => ({ operation, body })) : [],
    );

    expect(sent.length).toBeGreaterThan(150);
    expect(await refused(sent)).toEqual([]);
  }, 120_000);

  it('succeeds as a form', async () => {
    const sent = operations.flatMap((operation) =>
      operation.form
        ? samples(valuesOf(operation.form), REQUESTS).map((body) => ({
            operation,
            body: formOf(body as Fields),
            headers: { 'content-type': FORM },
          }))
        : [],
    );

    expect(sent.length).toBeGreaterThan(150);
    expect(await refused(sent)).toEqual([]);
  }, 120_000);

  it('succeeds with its headers', async () => {
    const creating = operations.filter(({ method, body }) => method === 'POST' && body);
    const [one, other] = [headersOf('IdempotencyKey', creating.length), headersOf('IfMatch', operations.length)];
    const sent = [
      ...creating.map((operation, index) => ({
        operation,
        headers: one[index]!,
        body: samples(valuesOf(operation.body!), 1)[0],
      })),
      ...operations
        .filter(({ takesIfMatch, method }) => takesIfMatch && method === 'DELETE')
        .flatMap((operation) => other.map((headers) => ({ operation, headers }))),
    ];

    expect(await refused(sent)).toEqual([]);
  }, 120_000);

  it('succeeds with its query', async () => {
    const sent = operations
      .filter(({ method, body }) => method !== 'DELETE' && !body)
      .flatMap((operation) => samples(queriesOf(operation), REQUESTS).map((query) => ({ operation, query })));

    expect(sent.length).toBeGreaterThan(150);
    expect(await refused(sent)).toEqual([]);
  }, 120_000);
});

/** A refusal whose message does not name the field. */
const tellsNot = ({ body }: ApiResponse): boolean =>
  ((body?.errors ?? []) as { field: string; code: string; message: string }[]).some(
    ({ field, message }) => !message.includes(field),
  );

async function accepted(
  operation: Operation,
  faults: readonly Fault[],
  asSent: (value: unknown) => Omit<Sent, 'operation'>,
) {
  const found: string[] = [];
  for (const { about, value } of faults) {
    const answer = await send({ operation, ...asSent(value) });
    if (answer.status < 400 || answer.status >= 500 || tellsNot(answer))
      found.push(`${operation.name} ${about}: ${answer.status} ${answer.text}`.slice(0, 400));
  }
  return found;
}

describe('a request that the OpenAPI document does not allow', () => {
  it('fails because of its body', async () => {
    const found: string[] = [];
    for (const operation of operations.filter(({ body }) => body)) {
      const [valid] = samples(valuesOf(operation.body!), 1) as [Fields];
      found.push(...(await accepted(operation, faultsIn(operation.body!, valid), (body) => ({ body }))));
    }

    expect(found).toEqual([]);
  }, 240_000);

  it('fails because of its query', async () => {
    const found: string[] = [];
    for (const operation of operations)
      for (const { name, schema } of operation.inQuery) {
        const faults = wrongValuesOf(schema).filter(({ value }) => typeof value === 'string' && value !== '');
        found.push(...(await accepted(operation, faults, (value) => ({ query: { [name]: value } }))));
      }

    expect(found).toEqual([]);
  }, 120_000);
});
