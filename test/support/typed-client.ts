import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Desk } from './desk.js';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A user's program with the generated types: a wrong name or type in it does not compile. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './openapi.js';

const [, , baseUrl, token, mailbox] = process.argv as [string, string, string, string, string];
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });

const started = await client.POST('/v1/tickets', {
  body: { body: 'Typed', from: 'typed@client.test', to: mailbox, tags: ['typed'] },
});
if (!started.data) throw new Error(started.error.error);
const { number, tags } = started.data.ticket;
const closed = await client.PUT('/v1/tickets/{number}/state', { params: { path: { number } }, body: { state: 'closed' } });
const missing = await client.GET('/v1/tickets/{number}', { params: { path: { number: 999_999 } } });
const list = await client.GET('/v1/tickets', { params: { query: { tag: 'typed', per_page: 10, state: ['closed'] } } });
console.log(
  JSON.stringify({
    state: closed.data?.state,
    tags,
    missing: missing.error?.error,
    found: list.data?.meta.pagination.total_count,
  }),
);
`;

/** Generates types from the document, compiles a program against them, runs it, and returns its output. */
export async function runTypedClient(desk: Desk, document: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deskwire-client-'));
  try {
    const types = astToString(await openapiTS(document));
    await writeFile(join(folder, 'openapi.ts'), types);
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await symlink(MODULES, join(folder, 'node_modules'));
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck', '--types', 'node'];
    await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), ...options, 'program.ts'], { cwd: folder });
    const { mailbox, owner } = desk.account;
    return (await run(process.execPath, ['program.js', desk.base, owner.token, mailbox.email], { cwd: folder })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
