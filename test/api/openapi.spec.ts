import { EVENT_KINDS } from '#libs/payloads';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { runTypedClient } from '../support/typed-client.js';

let desk: Desk;
let text: string;
beforeAll(async () => {
  desk = await startDesk();
  text = (await desk.anonymous().get('/openapi.json')).text;
});
afterAll(() => desk.stop());

const document = () =>
  JSON.parse(text) as { paths: Record<string, Record<string, DescribedOperation>>; webhooks: object };

interface DescribedOperation {
  readonly description?: string;
  readonly responses: object;
}

describe('The OpenAPI document', () => {
  it('passes an independent linter', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // The server of a test is on localhost, and a page that a person looks at has no 4xx of its own to tell of.
        'no-server-example.com': 'off',
        'operation-4xx-response': 'off',
        // The form of a page is answered with a redirect.
        'operation-2xx-response': 'off',
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

  it('names for each kind of event an operation that may emit it', () => {
    const operations = Object.values(document().paths).flatMap((methods) => Object.values(methods));
    const emitted = operations.flatMap(({ description }) => description?.match(/\w+/g) ?? []);

    expect(emitted).toEqual(expect.arrayContaining(Object.keys(EVENT_KINDS)));
  });

  it('tells that any change may meet another one', () => {
    const changes = Object.entries(document().paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => path.startsWith('/v1/') && method !== 'get')
        .map(([method, { responses }]) => ({ operation: `${method} ${path}`, statuses: Object.keys(responses) })),
    );

    expect(changes.filter(({ statuses }) => !statuses.includes('409'))).toEqual([]);
  });

  it('is also a page without scripts', async () => {
    const page = await desk.anonymous().get('/docs');

    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.text).toContain('/v1/tickets/{number}/messages');
    expect(page.text).not.toMatch(/<script|<style| style=/);
  });
});

describe('A client generated from it', () => {
  it('compiles, and talks to the API', async () => {
    const output = await runTypedClient(desk, text);

    expect(JSON.parse(output)).toEqual({ state: 'closed', tags: ['typed'], missing: 'ticket_not_found', found: 1 });
  });
});
