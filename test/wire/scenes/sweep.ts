import type { Ask } from '../ask.js';
import type { Desk } from '../desk.js';

// What the document of the API says there is, asked in every wrong way. It is read from the product itself, so a route
// that comes or goes shows here too.

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const NOBODY = '00000000-0000-7000-8000-000000000000';
const BAD = [{ wrong: true }, 'x'.repeat(6000), 5, null, ['a', 7], ''];
const TEXT: Ask = { raw: 'a text', headers: { 'content-type': 'text/plain' } };
const BODIES: readonly Ask[] = [
  {},
  { json: [] },
  { json: 'text' },
  { json: null },
  TEXT,
  { raw: '{', headers: { 'content-type': 'application/json' } },
  { raw: '', headers: { 'content-type': 'application/json' } },
  { raw: '<x/>', headers: { 'content-type': 'application/xml' } },
  {
    raw: '{"__proto__": {"x": 1}, "constructor": {"prototype": 1}}',
    headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' },
  },
  { raw: '%zz=%', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
];

export async function sweep(desk: Desk): Promise<void> {
  const document = (await desk.send('GET /openapi.json')).json as Document;
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, told]) => ({
        path,
        method: method.toUpperCase(),
        operation: { ...told, schema: schemaOf(told, document) },
      })),
    );
  const ask: Asking = async (line, more = {}) => {
    await desk.api(line, { as: 'sweep', ...more });
    // Whether what it set going has ended must not be a matter of luck.
    if (/^POST .*\/(replay|redeliver|test)$/.test(line)) await desk.settle();
  };
  for (const { path, method, operation } of operations) {
    const here = `${method} ${filled(path, knownOf(desk))}`;
    await desk.ask(here, { about: 'no token' });
    await desk.api(here, { as: lacking(operation), about: 'a token without the scope' });
    if (path.includes('{'))
      for (const value of [NOBODY, '999999', 'nobody@example.com', '%E2%82%AC', 'x'.repeat(321)])
        await ask(`${method} ${filled(path, () => value)}`, bodyOf(operation));
    if (method === 'GET') await reading(here, ask);
    else if (operation.requestBody && !path.endsWith('/attachments')) await writing(here, operation.schema, ask);
    else if (method === 'POST') await ask(here, { ...TEXT, about: 'a body where none is read' });
  }
  await desk.ask('POST /v1/tickets', {
    headers: {
      authorization: `Bearer ${desk.firstRun.token}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    },
    raw: '{}',
    shown: 'in chunks',
  });
  await desk.settle();
}

type Asking = (line: string, more?: Ask) => Promise<unknown>;

async function reading(here: string, ask: Asking): Promise<void> {
  await ask(here);
  await ask(here.replace('GET', 'HEAD'));
  await ask(here, { headers: { 'if-none-match': '*' } });
  await ask(`${here}?page=x&per_page=x&cursor=%00`);
  await ask(`${here}/`);
}

async function writing(here: string, schema: Schema, ask: Asking): Promise<void> {
  for (const body of BODIES) await ask(here, body);
  for (const name of Object.keys(schema.properties ?? {}))
    for (const value of BAD) await ask(here, { json: { [name]: value } });
}

/** Older documents have the schema in its place. */
function schemaOf({ requestBody }: Operation, { components }: Document): Schema {
  const schema = requestBody?.content['application/json']?.schema ?? {};
  return components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}

const bodyOf = (operation: Operation & { readonly schema: Schema }): Ask =>
  operation.requestBody
    ? {
        json: Object.fromEntries(
          Object.keys(operation.schema.properties ?? {}).map((name) => [name, GOOD[name] ?? 'x']),
        ),
      }
    : {};

/** Values that pass, so that what is refused is the address. */
const GOOD: Readonly<Record<string, unknown>> = {
  state: 'closed',
  assignee: null,
  assigned_group: null,
  priority: null,
  tags: ['x'],
  members: [],
  role: 'agent',
  email: 'swept@client.example',
  custom: {},
  body: 'x',
  author: null,
  note: false,
  sent_at: null,
  url: 'http://127.0.0.1:4180/x',
  event: 'note_added',
  since: null,
  before: null,
  only: null,
};

/** A token that may something else. */
function lacking({ security = [] }: Operation): string {
  const enough = new Set(security.flatMap((way) => way['oauth2'] ?? []));
  return ['read', 'write', 'admin'].find((scope) => !enough.has(scope)) ?? 'read';
}

const filled = (path: string, value: (name: string, path: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => value(name, path));

/** Of what the scenes before made, something that nobody minds being changed. */
function knownOf({ known }: Desk) {
  const ids: Readonly<Record<string, string | undefined>> = {
    attachments: known['attachment'],
    deliveries: known['delivery of ticket_started'],
    events: NOBODY,
    groups: known['refunds'],
    mailboxes: known['billing'],
    messages: known['message'],
    replays: known['replay'],
    webhooks: known['ticket_moved'],
  };
  return (name: string, path: string): string => {
    if (name === 'number') return '7';
    if (name === 'email') return path.includes('agents') ? 'leaving@example.com' : 'form@client.example';
    return name === 'id' ? (ids[path.split('/')[2] ?? ''] ?? NOBODY) : name === 'tag' ? 'nothing' : 'Billing';
  };
}
