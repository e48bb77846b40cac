import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { AssistantTools } from '../../apps/api/src/mcp/assistant-tools.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { documentWith, table } from './document-edits.js';

const run = promisify(execFile);
const GUIDE = 'docs/mcp.md';

const desk = deskForFile();

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

it('lists the tools with their scopes (npm run docs)', async () => {
  const { all } = desk.api.get(AssistantTools);
  const rows = all.map(({ name, scopes, description }) => [code([name]), code(scopes), description]);

  await expect(await documentWith(GUIDE, table('tool', rows))).toMatchFileSnapshot(resolve(GUIDE));
});

it('has a program that runs as shown', async () => {
  const number = await ticketFromAna(desk);
  const [, program = ''] = /^```js file=waiting\.mjs\n([^]*?)^```$/m.exec(await readFile(GUIDE, 'utf8')) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'deskwire-mcp-'));
  await writeFile(join(folder, 'waiting.mjs'), program);

  const { stdout } = await run(process.execPath, ['waiting.mjs', desk.base, desk.account.owner.token], { cwd: folder });

  expect(stdout).toMatch(new RegExp(`^${number} \\S+Z ${desk.settings.PUBLIC_URL}/tickets/${number}$`, 'm'));
  await rm(folder, { recursive: true });
});
