import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, FIELD_CODES } from '../../apps/api/src/reference/error-codes.js';
import { type Desk, startDesk } from '../support/desk.js';

const FOLDERS = [
  'apps/api/src',
  ...['access', 'entities', 'lists', 'mailboxes', 'tickets', 'webhooks'].map((name) => `libs/${name}/src`),
];

/** OAuth uses the codes of its RFCs, which are not problems. */
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
)
  .filter((file) => /\.tsx?$/.test(file) && !/\.spec\.ts$|api\/src\/(oauth\/(?!bearer)|reference)/.test(file))
  .map((file) => readFileSync(file, 'utf8'));

const found = (...patterns: readonly RegExp[]): string[] => [
  ...new Set(
    sources.flatMap((text) => patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, code]) => code!))),
  ),
];

const problems = () => [
  ...found(/new (?:NotFound|IdentifierPipe)\(\s*'(\w+)'/g).map((what) => `${what}_not_found`),
  ...found(
    /new (?:Forbidden|Conflict|TooLarge|Unavailable)\(\s*'(\w+)'/g,
    /new DomainError\(\s*'\w+',\s*'(\w+)'/g,
    /super\('(\w+)', '[A-Z]/g,
  ),
  ...found(/(?<!ok: false, )\berror: '(\w+)',/g, /(?:challenge|described)\(\d+, '(\w+)'/g, /tooMany\('(\w+)'/g),
];

const faults = () => [
  ...found(/new InvalidField\(\s*[^,]+,\s*'(\w+)'/g, /\bcode: '(\w+)'/g, /fault\('(\w+)'/g),
  ...found(/return \['(\w+)', 'must/g),
];

describe('the page of errors', () => {
  it('explains every code of a problem', () => {
    expect(problems().length).toBeGreaterThan(70);
    expect(problems().filter((code) => !(code in ERROR_CODES))).toEqual([]);
  });

  it('explains every code of a field', () => {
    expect(faults().length).toBeGreaterThan(40);
    expect(faults().filter((code) => !(code in FIELD_CODES))).toEqual([]);
  });
});

describe('the type of a problem', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());

  it('links to the explanation of its code', async () => {
    const { text: page } = await desk.anonymous().get('/docs/errors');
    const answers = [
      await desk.client().get('/v1/tickets/4711'),
      await desk.client().post('/v1/tickets', {}),
      await desk.anonymous().get('/v1/tickets'),
      await desk.client().get('/v1/nothing'),
    ];

    for (const { body } of answers) {
      expect(body.type).toBe(`/docs/errors#${body.error}`);
      expect(page).toContain(`id="${body.error}"`);
    }
  });

  it('can link to each explanation', async () => {
    const { text: page } = await desk.anonymous().get('/docs/errors');

    for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`<div id="${code}"`);
    for (const code of Object.keys(FIELD_CODES)) expect(page).toContain(`<div id="field-${code}"`);
  });
});
