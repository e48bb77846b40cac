import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeSamplesOf } from '../../apps/api/src/reference/code-samples.js';
import { ERROR_CODES, FIELD_CODES } from '../../apps/api/src/reference/error-codes.js';
import { OpenApiService } from '../../apps/api/src/reference/openapi.service.js';
import {
  type ApiReference,
  type Entry,
  type Parameter,
  referenceOf,
  resolved,
} from '../../apps/api/src/reference/reference.js';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';

const run = promisify(execFile);

let oauth: OAuthDesk;
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
const path = pathWithCurl(folder);
beforeAll(async () => {
  oauth = await OAuthDesk.start();
});
afterAll(() => oauth.stop());

const referenceHere = (): ApiReference => referenceOf(oauth.desk.api.get(OpenApiService, { strict: false }).read());

const calls = (): Entry[] =>
  referenceHere()
    .sections.flatMap(({ entries }) => entries)
    .filter(({ isEvent }) => !isEvent);

function sampleOf(id: string, language: string): string {
  const reference = referenceHere();
  const entry = calls().find(({ operation }) => operation.operationId === id)!;
  return codeSamplesOf(entry, reference).find((one) => one.language === language)!.code;
}

const COMMANDS: Readonly<Record<string, (code: string) => [string, string[]]>> = {
  curl: (code) => ['sh', ['-c', code]],
  JavaScript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
};

describe('a code sample of the API reference', () => {
  it.each([
    ['curl', 'readMe', '"agent":'],
    ['JavaScript', 'readMe', '"agent":'],
    ['curl', 'createTicket', '"title":"Charged twice for November"'],
    ['JavaScript', 'createTicket', '"title":"Charged twice for November"'],
  ])('runs in %s: %s', async (language, id, expected) => {
    const [program, words] = COMMANDS[language]!(sampleOf(id, language));
    const env = { PATH: path, TOKEN: oauth.desk.account.owner.token };
    const { stdout } = await run(program, words, { cwd: folder, env });

    expect(stdout).toContain(expected);
  });

  it('contains valid Python', async () => {
    const code = sampleOf('createTicket', 'Python');
    const checked = await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]).then(
      () => 'read',
      (error: { code?: unknown }) => (error.code === 'ENOENT' ? 'no Python here' : 'not read'),
    );

    expect(checked).not.toBe('not read');
  });

  it('has a callable address with every required parameter', () => {
    const faults: string[] = [];
    for (const entry of calls())
      for (const { language, code } of codeSamplesOf(entry, referenceHere())) {
        const address = /https?:\/\/[^'"\s]+/.exec(code)?.[0] ?? '';
        const { pathname, searchParams, origin } = new URL(address);
        const missing = requiredIn(entry).filter((name) => !searchParams.has(name));
        if (origin !== oauth.base || /\/\/|[{}]|%7B/.test(pathname) || missing.length > 0)
          faults.push(`${entry.operation.operationId} in ${language}: ${address} lacks ${missing.join()}`);
      }

    expect(faults).toEqual([]);
  });

  it('sends a body where the operation needs one', () => {
    const without = calls()
      .filter(({ operation }) => (operation.requestBody as { required?: boolean } | undefined)?.required)
      .filter((entry) => codeSamplesOf(entry, referenceHere()).some(({ code }) => !SENDS.test(code)))
      .map(({ operation }) => operation.operationId);

    expect(without).toEqual([]);
  });

  it('comes with responses and bodies whose addresses are well formed and belong to this installation', () => {
    const text = JSON.stringify(calls().map(({ operation }) => [operation, operation.responses]));
    const hosts = new Set(text.match(/https?:\/\/[^"\\/ ,]+/g));

    expect([...hosts].filter((host) => !host.endsWith('.example'))).toEqual([oauth.base]);
    expect(text.match(/https?:\/\/[^"\\ ]*?[^:]\/\/[^"\\ ]*/g)).toBeNull();
  });
});

const SENDS = /\n {2}-d |-F |--data-binary|body: |json=|files=|data=/;

const requiredIn = ({ operation }: Entry): string[] =>
  (operation.parameters ?? [])
    .map((one) => resolved<Parameter>(one, referenceHere()))
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => name);

describe('the type of a problem', () => {
  it('links to the explanation of its code', async () => {
    const { text: page } = await oauth.desk.anonymous().get('/docs/errors');
    const { body } = await oauth.desk.client().get('/v1/tickets/4711');

    expect(body.type).toBe(`/docs/errors#${body.error}`);
    for (const code of Object.keys(ERROR_CODES)) expect(page).toContain(`<div id="${code}"`);
    for (const code of Object.keys(FIELD_CODES)) expect(page).toContain(`<div id="field-${code}"`);
  });
});
