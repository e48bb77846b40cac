import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';
import { CLIENT_GENERATORS } from './client-generators.js';
import { DIRECTORIES, findProgram } from './languages.js';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

/** The calls that all programs make. A wrong name or type does not compile. */
const START = `declare const process: { readonly argv: readonly string[] };
const [, , base, token, mailbox] = process.argv as [string, string, string, string, string];
const body = { from: { email: 'made@client.test', name: 'Ana Lima' }, to: mailbox, body: 'Made' };
`;

const PROGRAMS = {
  '@hey-api/openapi-ts': `import { client } from './made/client.gen';
import { createTicket, listTickets, readTicket } from './made/sdk.gen';
${START}
client.setConfig({ baseUrl: base, auth: () => token });
const made = await createTicket({ body });
const read = await readTicket({ path: { number: made.data!.ticket.number } });
const list = await listTickets({ query: { per_page: 5, state: ['unread', 'opened'] } });
console.log(read.data!.ticket.customer_name, list.data!.meta.pagination.total_count > 0);
`,
  orval: `import { createTicket, listTickets, readTicket } from './made/api';
${START}
const { fetch } = globalThis;
globalThis.fetch = (url, options) => fetch(new URL(String(url), base), options);
const headers = { authorization: 'Bearer ' + token };
const made = await createTicket(body, { headers });
if (made.status !== 200 && made.status !== 201) throw new Error(made.data.detail);
const read = await readTicket(made.data.ticket.number, undefined, { headers });
const list = await listTickets({ per_page: 5, state: ['unread', 'opened'] }, { headers });
if (read.status !== 200 || list.status !== 200) throw new Error('refused');
console.log(read.data.ticket.customer_name, list.data.meta.pagination.total_count > 0);
`,
};

/** Registers a webhook, assigns a ticket to a group and reads two pages of changes, as drivers/ does in Python and Go. */
const TYPED_PROGRAM = `import createClient from 'openapi-fetch';
import type { paths } from './made.js';
const [, , baseUrl, token, ticket, assigned_group] = process.argv as [string, string, string, string, string, string];
const desk = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
const made = await desk.POST('/v1/webhooks', { body: { url: 'https://receiver.example/hooks', event: 'ticket_closed' } });
const path = { number: Number(ticket) };
const assigned = await desk.PUT('/v1/tickets/{number}/assigned_group', { params: { path }, body: { assigned_group } });
const first = (await desk.GET('/v1/changes', { params: { query: { per_page: 1 } } })).data!;
const query = { per_page: 1, cursor: first.meta.cursor };
const second = (await desk.GET('/v1/changes', { params: { query } })).data!;
const hrefs = [first, second].map(({ changes }) => changes[0]?.record?.href);
console.log(made.data && 'webhook' in made.data && made.data.webhook.event, assigned.data?.group?.name, ...hrefs);
`;

/** The classes that quicktype makes of the schemas need only Python’s standard library; the program adds the calls. */
const PYTHON = findProgram('python3');
const GO = findProgram('go');
const missing = (program: string | null, name: string): string =>
  program === null ? ` (not tried: ${name} is not installed here)` : '';
const CLASSES = ['CreateTicketInput', 'TicketEnvelope', 'ReadTicketResult', 'WholeTicketPage', 'ChangeFeed'];

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
    const generators = Object.values(CLIENT_GENERATORS).filter(({ name }) => name in PROGRAMS);
    const packages = [
      ...generators.map(({ name, version }) => `${name}@${version}`),
      'openapi-fetch@0.17.0',
      'quicktype',
    ];
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'typescript@5', ...packages], {
      cwd: folder,
    });
    const print = resolve('dist/apps/api/src/print-openapi.js');
    const { stdout } = await run(process.execPath, [print], { maxBuffer: 64 * 1024 * 1024 });
    await writeFile(join(folder, 'openapi.json'), stdout);
  }, 600_000);

  it.each(Object.entries(PROGRAMS))(
    'compiles with %s and calls the API',
    async (name, program) => {
      await rm(join(folder, 'made'), { recursive: true, force: true });
      await run('npx', wordsOf(name as keyof typeof PROGRAMS), { cwd: folder });
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
    `reads every answer in Python with quicktype${missing(PYTHON, 'python3')}`,
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

  describe('that registers a webhook, assigns a ticket and reads two pages of changes', () => {
    let words: string[];
    let expected: RegExp;
    beforeAll(async () => {
      const { mailbox, owner } = desk.account;
      const group = { name: 'Billing' };
      await desk.client().post('/v1/groups', group);
      const { body } = await desk
        .client()
        .post('/v1/tickets', { from: 'a@client.test', to: mailbox.email, body: 'Hi' });
      const changes = async () => (await desk.client().get('/v1/changes')).body as { changes: { id: string }[] };
      await eventually(async () => (await changes()).changes.length > 1, { withinMs: 45_000 });
      words = [desk.base, owner.token, (body as { ticket: { id: string } }).ticket.id, group.name];
      expected = /^ticket_closed Billing (http\S+) (?!\1)http\S+$/;
    }, 60_000);

    it('compiles with openapi-typescript', async () => {
      const own = join(folder, 'typed');
      await mkdir(own);
      await symlink(resolve('node_modules'), join(own, 'node_modules'));
      await copyFile(join(folder, 'openapi.json'), join(own, 'openapi.json'));
      await run('npx', wordsOf('openapi-typescript'), { cwd: own });
      await writeFile(join(own, 'typed.ts'), TYPED_PROGRAM);
      const options = [
        '--ignoreConfig',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--strict',
        '--skipLibCheck',
        '--types',
        'node',
      ];
      await run(process.execPath, [TSC, ...options, 'typed.ts'], { cwd: own });

      expect(await outputOf(process.execPath, ['typed/typed.js', ...words])).toMatch(expected);
    }, 300_000);

    it.skipIf(PYTHON === null)(
      `compiles with openapi-python-client${missing(PYTHON, 'python3')}`,
      async () => {
        const { name, version } = CLIENT_GENERATORS['openapi-python-client'];
        await run(PYTHON!, ['-m', 'venv', 'installed'], { cwd: folder });
        await run('installed/bin/pip', ['install', '--quiet', `${name}==${version}`, 'ruff'], { cwd: folder });
        const { stdout, stderr } = await runOf('installed/bin', wordsOf(name));
        await copyFile(
          resolve('test/docs/drivers/openapi-python-client/main.py'),
          join(folder, 'deskwire-client/main.py'),
        );

        expect(`${stdout}${stderr}`.match(/WARNING.*/g)).toEqual([
          'WARNING parsing POST /v1/mailboxes/{id}/raw within mailboxes. Endpoint will not be generated.',
        ]);
        expect(await outputOf('installed/bin/python', ['deskwire-client/main.py', ...words])).toMatch(expected);
      },
      300_000,
    );

    it.skipIf(GO === null).each(['oapi-codegen', 'ogen'] as const)(
      `compiles with %s${missing(GO, 'go')}`,
      async (name) => {
        const { module, version } = CLIENT_GENERATORS[name];
        const own = join(folder, name);
        await mkdir(join(own, 'deskwire'), { recursive: true });
        await copyFile(join(folder, 'openapi.json'), join(own, 'openapi.json'));
        await copyFile(resolve(`test/docs/drivers/${name}/main.go`), join(own, 'main.go'));
        const go = (...args: string[]) => runOf(own, [GO!, ...args], own);
        await go('mod', 'init', 'client');
        await go('install', `${module}@v${version}`);
        const { stderr } = await runOf(own, wordsOf(name), own);
        await go('mod', 'tidy');
        await go('build', '-o', 'program', '.');

        expect(stderr).not.toMatch(/skip/i);
        expect(await outputOf(join(own, 'program'), words)).toMatch(expected);
      },
      600_000,
    );
  });

  const outputOf = async (program: string, args: readonly string[]) =>
    (await run(program, args, { cwd: folder })).stdout.trim();

  /** Runs a command, which may be installed in the folder. */
  const runOf = (bin: string, [program, ...args]: readonly string[], cwd = folder) =>
    run(program!, args, {
      cwd,
      env: { ...process.env, GOBIN: bin, PATH: [join(cwd, bin), bin, ...DIRECTORIES].join(':') },
    });
});

const wordsOf = (name: keyof typeof CLIENT_GENERATORS): string[] => CLIENT_GENERATORS[name].command.split(' ');
