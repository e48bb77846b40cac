import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { definedStatements } from '#libs/database';
import { getMetadataArgsStorage } from 'typeorm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.js';

type Verb = 'insert' | 'update' | 'delete';

/** A writer of a table, such as `libs/tickets tickets update`. */
type Write = `${string} ${string} ${Verb}`;

const sources = ['apps', 'libs']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.includes('/migrations/'))
  // The demonstration writes past events directly.
  .filter((file) => !/^apps\/cli\/src\/(demo\/|commands\/first-run)/.test(file))
  .map((file) => ({ file, owner: file.split('/').slice(0, 2).join('/'), text: readFileSync(file, 'utf8') }));

const STATEMENT = /\b(?:account|system)Statement\(\s*(?:'([^']+)'|`([^`]+)`)/g;
const DML = /(?<!\b(?:for|key|do) )\b(insert into|update|delete from) (\w+)/g;
const VERBS: Readonly<Record<string, Verb>> = {
  'insert into': 'insert',
  'delete from': 'delete',
  save: 'update',
  upsert: 'update',
  remove: 'delete',
};
const verbOf = (word: string): Verb => VERBS[word] ?? (word as Verb);

/** The libraries that define a statement. A name may contain an expression, as in `expiry_${table}`. */
function definersOf(name: string): string[] {
  return sources.flatMap(({ owner, text }) =>
    [...text.matchAll(STATEMENT)].flatMap(([, plain, template]) => {
      const pattern = plain ?? template!.replaceAll(/\$\{[^}]*\}/g, '\\w+');
      return new RegExp(`^${pattern}$`).test(name) ? [owner] : [];
    }),
  );
}

function statementWrites(): Write[] {
  return definedStatements().flatMap(({ name, text }) =>
    [...text.replaceAll(/\s+/g, ' ').matchAll(DML)].flatMap(([, verb, table]) =>
      definersOf(name).map((owner): Write => `${owner} ${table!} ${verbOf(verb!)}`),
    ),
  );
}

const CALL = String.raw`\.(insert|update|upsert|delete|save|remove)\(`;

/** Writes through a manager of TypeORM, a repository, or a variable or field that holds one. */
function repositoryWrites(): Write[] {
  const tables = new Map(
    getMetadataArgsStorage().tables.map(({ target, name }) => [(target as { name: string }).name, name!]),
  );
  return sources.flatMap(({ owner, text }) => {
    const held = [...text.matchAll(/(\w+)(?:: AccountRepository<| = [\w.()]*epository\()(\w+)/g)];
    const calls = [
      ...[...text.matchAll(new RegExp(String.raw`epository\((\w+)\)\s*${CALL}`, 'g'))].map(([, e, v]) => [e, v]),
      ...[...text.matchAll(new RegExp(String.raw`anager${CALL}(\w+)`, 'g'))].map(([, verb, entity]) => [entity, verb]),
      ...held.flatMap(([, name, entity]) =>
        [...text.matchAll(new RegExp(String.raw`\b${name}${CALL}`, 'g'))].map(([, verb]) => [entity, verb]),
      ),
    ];
    return calls.flatMap(([entity, verb]): Write[] => {
      const table = tables.get(entity!);
      return table === undefined ? [] : [`${owner} ${table} ${verbOf(verb!)}`];
    });
  });
}

/** Tables with their writers in docs/architecture.md, and what each writer may do; nothing means everything. */
function documented(): Map<string, Map<string, readonly string[]>> {
  const section = readFileSync('docs/architecture.md', 'utf8')
    .split('\n## Who writes which table\n')[1]!
    .split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, tables, writers] = row.split('|');
      const rights = [...writers!.matchAll(/`((?:apps|libs)\/[\w-]+)`([^`]*)/g)].map(
        ([, owner, verbs]) => [owner!, verbs!.match(/insert|update|delete/g) ?? []] as const,
      );
      return [...tables!.matchAll(/`(\w+)`/g)].map(([, table]) => [table!, new Map(rights)] as const);
    }),
  );
}

/** The writer of all tables that are not documented. */
const DEFAULT: ReadonlyMap<string, readonly string[]> = new Map([['libs/tickets', []]]);

function isAllowed(write: Write): boolean {
  const [owner, table, verb] = write.split(' ') as [string, string, Verb];
  const verbs = (documented().get(table) ?? DEFAULT).get(owner);
  return verbs !== undefined && (verbs.length === 0 || verbs.includes(verb));
}

describe('a table', () => {
  let database: TestDatabase;
  let sql: Client;
  let writes: Write[];

  beforeAll(async () => {
    database = await createDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    for (const { file, text } of sources) if (text.match(STATEMENT)) await import(resolve(file));
    writes = [...new Set([...statementWrites(), ...repositoryWrites()])].sort();
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  it('exists if docs/architecture.md lists it', async () => {
    const { rows } = await sql.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname <> 'migrations' order by 1`,
    );

    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...documented().keys()]));
  });

  it('has no writers but its owners', () => {
    expect(writes.filter((write) => !isAllowed(write))).toEqual([]);
    expect(isAllowed('libs/access webhooks update')).toBe(false);
  });

  it('has no owner that does not write it', () => {
    const unused = [...documented()].flatMap(([table, writers]) =>
      [...writers].flatMap(([owner, verbs]) =>
        (verbs.length > 0 ? verbs : ['']).map((verb) => `${owner} ${table} ${verb}`),
      ),
    );

    expect(unused.filter((right) => !writes.some((write) => write.startsWith(right)))).toEqual([]);
  });

  it('has only named statements and repositories as writers', () => {
    const unnamed = sources.filter(
      ({ text }) => /\b(insert into|delete from|update [\w${}]+ set) /.test(text) && !text.match(STATEMENT),
    );

    // Partitions have names that are known only at run time.
    expect(unnamed.map(({ file }) => file)).toEqual(['apps/worker/src/upkeep/partitions.service.ts']);
  });
});
