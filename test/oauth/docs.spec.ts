import { parseClientMetadata } from '#libs/access';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
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

const TSC = resolve('node_modules/typescript/bin/tsc');
const GUIDE = readFileSync('docs/oauth.md', 'utf8');
const blockOf = (fence: string): string => GUIDE.split(`\`\`\`${fence}\n`)[1]!.split('```')[0]!;

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

  it('has a public client that compiles and gets a token', async () => {
    const app = await oauth.application({ redirectUris: ['http://127.0.0.1/callback'], isPublic: true });
    const person = await oauth.person();
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const modules = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck'];
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'client.ts'), blockOf('ts file=public-client.ts'));
    await promisify(execFile)(process.execPath, [TSC, 'client.ts', ...types, ...modules], { cwd: folder });
    const client = spawn(process.execPath, ['client.js', oauth.base, app.clientId], { cwd: folder });
    let printed = '';
    for await (const line of createInterface({ input: client.stdout })) {
      const [, address] = /^Open (\S+)$/.exec(line) ?? [];
      if (address) await fetch(await person.decide(address.slice(oauth.base.length), 'allow'));
      printed += line;
    }

    expect(printed).toContain("scope: 'tickets:read'");
  });

  it('has a metadata document that is accepted as it is', () => {
    const text = blockOf('json client-metadata');
    const document = JSON.parse(text) as { client_id: string; redirect_uris: string[] };
    const metadata = expect.objectContaining({ redirectUris: document.redirect_uris }) as unknown;

    expect(parseClientMetadata(document.client_id, text)).toEqual({ kind: 'metadata', metadata });
  });
});
