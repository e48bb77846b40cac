import { type JsonSchema, objectOf, ref } from '#libs/payloads';
import type { NamedRecord } from '../edge/api-operation.decorator.js';
import type { NamedSchemas } from './named-schemas.js';
import type { Route } from './route-reader.js';

/** What a route answers when all is well: its status, its headers, and a body with a name. */
export function successResponsesOf(route: Route, schemas: NamedSchemas, example?: unknown) {
  const { status, body, read } = successOf(route, schemas);
  const headers = headersOf([
    ...(read ? READ_HEADERS : ['RequestId', 'RateLimit', 'Ignored']),
    ...(status === 201 || status === 202 ? ['Location'] : []),
    ...(route.description.list ? ['Link'] : []),
  ]);
  if (!body) return { [status]: { description: 'Done.', headers } };
  const content = { 'application/json': { schema: body, ...(example !== undefined && { example }) } };
  return { [status]: { description: WORDS[status]!, headers, content }, ...(read && NOT_MODIFIED) };
}

const WORDS: Readonly<Record<number, string>> = { 200: 'As it is now.', 201: 'Created.', 202: 'It will be done.' };
const READ_HEADERS = ['RequestId', 'RateLimit', 'Ignored', 'ETag'];
const NOT_MODIFIED = { 304: { description: 'Unchanged since it was read with this ETag.' } };

function successOf(route: Route, schemas: NamedSchemas) {
  const { description, method } = route;
  const { created, createdAll, accepted } = description;
  if (created && createdAll)
    return { status: 201, body: { anyOf: [recordOf(created, schemas), arrayOf(createdAll, schemas)] } };
  if (createdAll) return { status: 201, body: arrayOf(createdAll, schemas) };
  if (created) return { status: 201, body: recordOf(created, schemas) };
  if (accepted) return { status: 202, body: recordOf(accepted, schemas) };
  const body = bodyOf(route, schemas);
  return body ? { status: 200, body, read: method === 'get' } : { status: route.status ?? 204 };
}

function bodyOf({ id, description }: Route, schemas: NamedSchemas): JsonSchema | undefined {
  const { record, records, list, feed, responseSchema } = description;
  if (responseSchema) return schemas.add(`${pascal(id)}Response`, responseSchema);
  if (record) return recordOf(record, schemas);
  if (records) return arrayOf(records, schemas);
  if (feed) return schemas.add(`${feed[1]}Feed`, objectOf({ [feed[0]]: recordsOf(feed[1]), meta: ref('FeedMeta') }));
  return list && schemas.add(`${list[1]}Page`, objectOf({ [list[0]]: recordsOf(list[1]), meta: ref('Meta') }));
}

const recordsOf = (record: string): JsonSchema => ({ type: 'array', items: ref(record) });

const recordOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}Response`, objectOf({ [name]: ref(record) }));

const arrayOf = ([name, record]: NamedRecord, schemas: NamedSchemas): JsonSchema =>
  schemas.add(`${record}List`, objectOf({ [name]: recordsOf(record) }));

const headersOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [HEADER_NAMES[name], { $ref: `#/components/headers/${name}` }]));

const HEADER_NAMES: Readonly<Record<string, string>> = {
  Location: 'Location',
  RequestId: 'X-Request-Id',
  RateLimit: 'RateLimit',
  ETag: 'ETag',
  Ignored: 'Deskwire-Ignored',
  Link: 'Link',
};

const pascal = (id: string): string => id.replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
