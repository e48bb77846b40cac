import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { pathWithCurl } from './support/path-with-curl.js';

const oauth = oauthDeskForFile();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oauth-docs-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const commands = (file: string): string =>
  [...readFileSync(file, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block).join('\n');

describe('docs/oauth.md', () => {
  it('has commands that run as shown, from authorization to revocation', async () => {
    const app = await oauth.application({ redirectUris: ['http://127.0.0.1:4001/callback'] });
    const { clientId, secret, redirectUri } = app;
    const owner = { email: oauth.desk.account.owner.email, password: PASSWORD };
    const credentials = { base_url: oauth.base, owner, client_id: clientId, client_secret: secret };
    mkdirSync(join(folder, '.data'));
    writeFileSync(join(folder, '.data/first-run.json'), JSON.stringify({ ...credentials, redirect_uri: redirectUri }));
    const script = `set -eu\n${commands('docs/oauth.md')}\necho; echo "$TOKENS"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script], {
      cwd: folder,
      env: { PATH: pathWithCurl(folder) },
    });
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, string>;

    expect(stdout).toContain('"tickets":[');
    expect(Object.keys(last)).toEqual(['access_token', 'token_type', 'expires_in', 'refresh_token']);
    expect(await oauth.works(last['access_token'] ?? '')).toBe(false);
  });
});
