import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeSamplesOf } from '../../apps/api/src/docs/code-samples.js';
import { OpenApiDocument } from '../../apps/api/src/docs/openapi-document.js';
import { referenceOf } from '../../apps/api/src/docs/reference.js';
import { pathWithCurl } from '../oauth/support/path-with-curl.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';

const run = promisify(execFile);

let oauth: OAuthDesk;
let folder: string;
let path: string;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  folder = mkdtempSync(join(tmpdir(), 'samples-'));
  path = pathWithCurl(folder);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await oauth.stop();
});

function sampleOf(id: string, language: string): string {
  const reference = referenceOf(oauth.desk.api.get(OpenApiDocument, { strict: false }).read());
  const entry = reference.sections
    .flatMap(({ entries }) => entries)
    .find(({ operation }) => operation.operationId === id)!;
  return codeSamplesOf(entry, reference).find((one) => one.language === language)!.code;
}

const COMMANDS: Readonly<Record<string, (code: string) => [string, string[]]>> = {
  curl: (code) => ['sh', ['-c', code]],
  JavaScript: (code) => [process.execPath, ['--input-type=module', '-e', code]],
};

describe('The code in the API reference', () => {
  it.each([
    ['curl', 'me-read', '"agent":'],
    ['JavaScript', 'me-read', '"agent":'],
    ['curl', 'tickets-create', '"title":"Charged twice for November"'],
    ['JavaScript', 'tickets-create', '"title":"Charged twice for November"'],
  ])('does in %s what it says: %s', async (language, id, expected) => {
    const [program, words] = COMMANDS[language]!(sampleOf(id, language));
    const env = { PATH: path, TOKEN: oauth.desk.account.owner.token };
    const { stdout } = await run(program, words, { cwd: folder, env });

    expect(stdout).toContain(expected);
  });

  it('is Python that Python can read', async () => {
    const code = sampleOf('tickets-create', 'Python');
    const checked = await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', code]).then(
      () => 'read',
      (error: { code?: unknown }) => (error.code === 'ENOENT' ? 'no Python here' : 'not read'),
    );

    expect(checked).not.toBe('not read');
  });
});
