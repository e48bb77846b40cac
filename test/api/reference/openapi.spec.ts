import { EVENT_KINDS } from '#libs/payloads';
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
    components: { schemas: object; responses: Record<string, Answer> };
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
  readonly responses: Readonly<Record<string, Answer>>;
  readonly description?: string;
  readonly parameters?: readonly { readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
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
    const operations = Object.values(document().paths).flatMap((methods) => Object.values(methods));
    const emitted = operations.flatMap(({ description }) => description?.match(/\w+/g) ?? []);

    expect(emitted).toEqual(expect.arrayContaining(Object.keys(EVENT_KINDS)));
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
    const operations = Object.values(document().paths).flatMap((methods) => Object.values(methods));
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
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
      const isNamed = '$ref' in schema || (schema['anyOf'] as object[] | undefined)?.every((one) => '$ref' in one);
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
      expect(html.length).toBeLessThan(170_000);
      expect(html).not.toMatch(/<script>|<style| style=/);
    }
  });

  it('show every operation with its fields, an example and code in three languages', async () => {
    const { text: html } = await desk.anonymous().get('/docs/tickets');

    expect(html).toContain('id="tickets-create"');
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
