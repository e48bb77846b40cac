import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { findProgram } from './languages.js';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

/** The calls that all programs make. A wrong name or type does not compile. */
const START = `declare const process: { readonly argv: readonly string[] };
const [, , base, token, mailbox] = process.argv as [string, string, string, string, string];
const body = { from: { email: 'made@client.test', name: 'Ana Lima' }, to: mailbox, body: 'Made' };
`;

const GENERATORS = [
  {
    name: '@hey-api/openapi-ts',
    program: `import { client } from './made/client.gen';
import { ticketsCreate, ticketsList, ticketsRead } from './made/sdk.gen';
${START}
client.setConfig({ baseUrl: base, auth: () => token });
const made = await ticketsCreate({ body });
const read = await ticketsRead({ path: { number: made.data!.ticket.number } });
const list = await ticketsList({ query: { per_page: 5, state: ['unread', 'opened'] } });
console.log(read.data!.ticket.customer_name, list.data!.meta.pagination.total_count > 0);
`,
    make: [
      'openapi-ts',
      '-i',
      'openapi.json',
      '-o',
      'made',
      '-p',
      '@hey-api/typescript',
      '@hey-api/sdk',
      '@hey-api/client-fetch',
    ],
  },
  {
    name: 'orval',
    program: `import { ticketsCreate, ticketsList, ticketsRead } from './made/api';
${START}
const { fetch } = globalThis;
globalThis.fetch = (url, options) => fetch(new URL(String(url), base), options);
const headers = { authorization: 'Bearer ' + token };
const made = await ticketsCreate(body, { headers });
if (made.status !== 201) throw new Error(made.data.detail);
const read = await ticketsRead(made.data.ticket.number, undefined, { headers });
const list = await ticketsList({ per_page: 5, state: ['unread', 'opened'] }, { headers });
if (read.status !== 200 || list.status !== 200) throw new Error('refused');
console.log(read.data.ticket.customer_name, list.data.meta.pagination.total_count > 0);
`,
    make: ['orval', '--input', 'openapi.json', '--output', 'made/api.ts', '--client', 'fetch'],
  },
];

/** The classes that quicktype makes of the schemas need only Python’s standard library; the program adds the calls. */
const PYTHON = findProgram('python3');
const CLASSES = ['CreateTicketInput', 'TicketResponse', 'TicketsReadResponse', 'WholeTicketPage', 'ChangeFeed'];

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  },
  include: ['made', 'program.ts'],
};

/**
 * Runs with `GENERATORS=full`: each brings hundreds of packages, so none is a dependency. openapi-typescript makes the
 * SDK’s types.
 */
describe.runIf(process.env['GENERATORS'] === 'full')('a generated client', () => {
  let folder: string;
  const desk = deskForFile();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generators-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const packages = [...GENERATORS.map(({ name }) => name), 'quicktype'];
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'typescript@5', ...packages], {
      cwd: folder,
    });
    const print = resolve('dist/apps/api/src/print-openapi.js');
    const { stdout } = await run(process.execPath, [print], { maxBuffer: 64 * 1024 * 1024 });
    await writeFile(join(folder, 'openapi.json'), stdout);
  }, 600_000);

  it.each(GENERATORS)(
    'compiles with $name and calls the API',
    async ({ make, program }) => {
      await rm(join(folder, 'made'), { recursive: true, force: true });
      await run('npx', make, { cwd: folder });
      await writeFile(join(folder, 'program.ts'), program);
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
      await run(process.execPath, [TSC, '-p', folder], { cwd: folder });
      await build({
        input: join(folder, 'program.ts'),
        platform: 'node',
        output: { file: join(folder, 'program.mjs') },
      });

      const { mailbox, owner } = desk.account;
      const { stdout } = await run(process.execPath, ['program.mjs', desk.base, owner.token, mailbox.email], {
        cwd: folder,
      });

      expect(stdout.trim()).toBe('Ana Lima true');
    },
    300_000,
  );

  it.skipIf(PYTHON === null)(
    `reads every answer in Python with quicktype${PYTHON === null ? ' (not tried: python3 is not installed here)' : ''}`,
    async () => {
      const schemas = CLASSES.map((name) => `openapi.json#/components/schemas/${name}`);
      const options = ['--src-lang', 'schema', '--lang', 'python', '--python-version', '3.7', '--no-date-times'];
      await run('npx', ['quicktype', ...options, '--out', 'made.py', ...schemas], { cwd: folder });
      await copyFile(resolve('test/docs/drivers/python-generated/main.py'), join(folder, 'program.py'));

      const { mailbox, owner } = desk.account;
      const { stdout } = await run(PYTHON!, ['program.py', desk.base, owner.token, mailbox.email], { cwd: folder });

      expect(stdout.trim()).toBe('Ana Lima Made True True');
    },
    300_000,
  );
});
