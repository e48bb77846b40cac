import { EVENT_KINDS, type JsonSchema } from '#libs/payloads';
import { VERSION } from '#libs/telemetry';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { runTypedClient } from '#test/support/typed-client.js';

const desk = deskForFile();
let text: string;
beforeAll(async () => {
  text = (await desk.anonymous().get('/openapi.json')).text;
});

const document = () =>
  JSON.parse(text) as {
    info: { version: string };
    tags: { name: string }[];
    paths: Record<string, Record<string, Operation>>;
    webhooks: Record<string, { post: Operation }>;
    components: { schemas: Record<string, JsonSchema>; responses: Record<string, Answer> };
  };

interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly responses: Readonly<Record<string, Answer>>;
  readonly description?: string;
  readonly parameters?: readonly { readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

const operations = (): Operation[] =>
  [document().paths, document().webhooks].flatMap((all) =>
    Object.values(all).flatMap((methods) => Object.values(methods)),
  );

const VERBS = [
  'add archive assign attach authorize cancel change check count create decide delete deliver discard download ensure',
  'introspect invite list merge move pause post preview put read receive redeliver release remove replace request rescan resend',
  'restore resume revoke rotate set snooze start stop test',
];
const CAMEL_CASE = new RegExp(`^(?:${VERBS.join(' ').replaceAll(' ', '|')})(?:[A-Z][a-zA-Z]+)$`);
const MAX_PATTERN_CHARACTERS = 320;

/** A reference is explained by its schema. */
function propertiesWithoutWords(
  { properties = {}, items, anyOf = [], oneOf = [] }: JsonSchema,
  path: string,
  schemas: Readonly<Record<string, JsonSchema>>,
): string[] {
  const own = Object.entries(properties).filter(
    ([, { description, $ref = '' }]) => !(description ?? schemas[$ref.split('/').at(-1)!]?.description),
  );
  const inner = Object.entries(properties).map(([name, schema]) => [`${path}.${name}`, schema] as const);
  const parts = [...anyOf, ...oneOf, ...(items ? [items] : [])].map((schema) => [path, schema] as const);
  const deeper = [...inner, ...parts].flatMap(([at, schema]) => propertiesWithoutWords(schema, at, schemas));
  return [...own.map(([name]) => `${path}.${name}`), ...deeper];
}

describe('the OpenAPI document', () => {
  it('explains only values that a field can have', () => {
    const explained: string[] = [];
    const unknown: string[] = [];
    JSON.parse(text, (_, schema: { enum?: unknown[]; description?: string } | null) => {
      if (!Array.isArray(schema?.enum) || typeof schema.description !== 'string') return schema;
      const values = Array.from(schema.description.matchAll(/`(\w+)`: /g), ([, value]) => value!);
      explained.push(...values);
      unknown.push(...values.filter((value) => !schema.enum!.includes(value)));
      return schema;
    });

    expect(unknown).toEqual([]);
    expect(explained).toContain('quarantined');
  });

  it('passes an independent linter', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The test server is on localhost.
        'no-server-example.com': 'off',
        // No id is `by-key`.
        'no-ambiguous-paths': 'off',
      },
    });

    const problems = await lintFromString({ source: text, config });

    expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('describes every kind of event', () => {
    expect(Object.keys(document().webhooks)).toEqual(Object.keys(EVENT_KINDS));
  });

  it('names an operation for each kind of event', () => {
    const emitted = operations().flatMap(({ description }) => description?.match(/\w+/g) ?? []);

    expect(emitted).toEqual(expect.arrayContaining(Object.keys(EVENT_KINDS)));
  });

  it('names every operation with a unique verb and noun in camelCase', () => {
    const ids = operations().map(({ operationId }) => operationId);

    expect(ids.filter((id) => !CAMEL_CASE.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['listTickets', 'setTicketPriority', 'rotateWebhookSecret']));
  });

  it('explains every operation in its own words', () => {
    const unexplained = operations().filter(({ summary, description = '' }) => !description || description === summary);

    expect(unexplained.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('explains every property', () => {
    const { schemas } = document().components;
    const unexplained = Object.entries(schemas).flatMap(([name, schema]) =>
      propertiesWithoutWords(schema, name, schemas),
    );

    expect(unexplained).toEqual([]);
  });

  it('has no pattern that a format could say', () => {
    const long: string[] = [];
    JSON.parse(text, (key, value: unknown) => {
      if (key === 'pattern' && String(value).length > MAX_PATTERN_CHARACTERS) long.push(String(value));
      return value;
    });

    expect(long).toEqual([]);
  });

  it('lists 409 for every operation that changes something', () => {
    const changes = Object.entries(document().paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => path.startsWith('/v1/') && method !== 'get')
        .map(([method, { responses }]) => ({ operation: `${method} ${path}`, statuses: Object.keys(responses) })),
    );

    expect(changes.filter(({ statuses }) => !statuses.includes('409'))).toEqual([]);
  });

  it('describes every parameter, and names every body schema', () => {
    const parameters = operations().flatMap((operation) => operation.parameters ?? []);
    const bodies = Object.values(document().paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    const own = bodies.filter(({ schema }) => !('$ref' in schema));

    expect(parameters.filter((one) => !('$ref' in one) && !one.description)).toEqual([]);
    expect(own).toEqual([]);
  });

  it('has a valid example of every response, and names its schema', () => {
    const { paths, components } = document();
    const answers = [
      ...Object.values(paths).flatMap((methods) => Object.values(methods)),
      { responses: components.responses } as Operation,
    ].flatMap(({ responses }) => Object.values(responses));
    const media = answers.flatMap(({ content = {} }) => Object.values(content));
    const told = media.filter(({ schema }) => schema['format'] !== 'binary');
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (one: Ajv2020) => void)(ajv);
    ajv.addSchema({ $id: 'document', components });

    expect(told.length).toBeGreaterThan(80);
    for (const { schema, example } of told) {
      const isNamed = '$ref' in schema || (schema['oneOf'] as object[] | undefined)?.every((one) => '$ref' in one);
      expect([schema, isNamed]).toEqual([schema, true]);
      expect([schema, example]).not.toEqual([schema, undefined]);
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
      expect([schema, validate(example), validate.errors]).toEqual([schema, true, null]);
    }
  });

  it('has a sample of every event', () => {
    for (const { post } of Object.values(document().webhooks))
      expect(post.requestBody!.content['application/json']).toHaveProperty('example');
  });

  it('has the version of the product', () => {
    expect(document().info.version).toBe(VERSION);
  });
});

const pages = () => ['/docs', '/docs/records', '/docs/errors', ...document().tags.map(({ name }) => `/docs/${name}`)];

describe('the documentation pages', () => {
  it('work without scripts, and are small', async () => {
    const shown = await Promise.all(pages().map((path) => desk.anonymous().get(path)));

    for (const { status, headers, text: html } of shown) {
      expect(status).toBe(200);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(html.length).toBeLessThan(185_000);
      expect(html).not.toMatch(/<script>|<style| style=/);
    }
  });

  it('show every operation with its fields, an example and code in three languages', async () => {
    const { text: html } = await desk.anonymous().get('/docs/tickets');

    expect(html).toContain('id="createTicket"');
    expect(html).toContain('send_copy_to_customer');
    expect(html).toContain('Charged twice for November');
    expect(html.match(/<summary>(curl|JavaScript|Python)<\/summary>/g)).toHaveLength(
      3 * html.split('<article').length - 3,
    );
  });

  it('find operations by words', async () => {
    const { text: html } = await desk.anonymous().get('/docs?q=restore+ticket');

    expect(html).toContain('/v1/tickets/{number}/restore');
    expect(html).not.toContain('/v1/webhooks/{id}/test');
  });

  it('return 404 for an unknown section', async () => {
    expect((await desk.anonymous().get('/docs/nonsense')).status).toBe(404);
  });

  it('link only to existing anchors', async () => {
    const shown = await Promise.all(
      pages().map(async (path) => [path, (await desk.anonymous().get(path)).text] as const),
    );
    const ids = new Map(shown.map(([path, html]) => [path, new Set(html.match(/(?<= id=")[^"]+/g))]));
    const links = shown.flatMap(([path, html]) =>
      [...html.matchAll(/<a href="([^"#]*)#([^"]+)"/g)].map(([, page, id]) => [page || path, id!] as const),
    );

    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(([page, id]) => !ids.get(page)?.has(id))).toEqual([]);
  });
});

describe('a client generated from the OpenAPI document', () => {
  it('compiles, and calls the API', { tags: ['long'] }, async () => {
    const output = await runTypedClient(desk, text);

    expect(JSON.parse(output)).toEqual({ state: 'closed', tags: ['typed'], missing: 'ticket_not_found', found: 1 });
  });
});
