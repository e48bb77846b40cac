import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPostgresToDump } from '../../apps/launcher/src/postgres/binaries.js';
import { Launched, ROOT } from './launched.js';
import { standInProject, type StandInProject } from './stand-in-project.js';

/** Of this machine. Where there is none, data of an earlier version can only be refused. */
const EARLIER = [17, 16, 15, 14].map((major) => findPostgresToDump(major, process.env, undefined)).find(Boolean);

describe('data of another major version of PostgreSQL', () => {
  let project: StandInProject;

  beforeEach(async () => (project = await standInProject()));
  afterEach(() => project.remove());

  /** Asks the servers of the data directory, and prints the rows. */
  async function ask(sql: string, environment: Record<string, string> = {}) {
    const program = `
      const { default: pg } = await import('${path.join(ROOT, 'node_modules/pg/lib/index.js')}');
      const client = new pg.Client(process.env.DATABASE_URL);
      await client.connect();
      console.log('rows ' + JSON.stringify((await client.query(${JSON.stringify(sql)})).rows ?? []));
      await client.end();`;
    const launched = Launched.start(
      ['run', '--no-redis', '--', process.execPath, '--input-type=module', '-e', program],
      {
        ...project,
        environment: { ...project.environment, ...environment },
      },
    );
    const code = await launched.ended;
    return { code, output: launched.output, rows: /^rows (.*)$/m.exec(launched.output)?.[1] };
  }

  function pretend(major: number): string {
    const folder = path.join(project.dataDir, `postgres-${major}`);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'PG_VERSION'), `${major}\n`);
    return folder;
  }

  it.each([
    { major: 9, means: 'Install PostgreSQL 9 with pg_dump' },
    { major: 99, means: 'Start with PostgreSQL 99 or newer' },
  ])('is refused by name when nothing here can read version $major', async ({ major, means }) => {
    const folder = pretend(major);
    const { code, output } = await ask('select 1');

    expect(code).toBe(1);
    expect(output).toContain(`The data in ${folder} is of PostgreSQL ${major}`);
    expect(output).toContain(means);
    expect(fs.readdirSync(project.dataDir).filter((name) => name.startsWith('postgres-'))).toEqual([
      `postgres-${major}`,
    ]);
  });

  describe.skipIf(!EARLIER)('with the programs of that version installed', () => {
    const earlier = { PG_BIN: EARLIER?.folder ?? '' };
    const major = Number.parseInt(EARLIER?.version ?? '', 10);
    const make = `create extension if not exists plpgsql;
      create table kept (id int primary key, said text);
      insert into kept select n, 'word ' || n from generate_series(1, 1000) n`;

    it('is brought over whole, once, and kept beside', async () => {
      expect((await ask(make, earlier)).code).toBe(0);

      const after = await ask('select count(*)::int, max(said) as last from kept');
      expect(after.output).toContain('bringing the data of version');
      expect(after.rows).toBe('[{"count":1000,"last":"word 999"}]');
      expect(fs.existsSync(path.join(project.dataDir, `postgres-${major}.before-18`))).toBe(true);
      expect(fs.existsSync(path.join(project.dataDir, 'upgrade.dump'))).toBe(false);

      const again = await ask('select count(*)::int from kept');
      expect(again.output).not.toContain('bringing');
      expect(again.rows).toBe('[{"count":1000}]');
    });

    it('is as it was when it cannot be brought over', async () => {
      // A column that version 18 no longer has.
      await ask(`${make}; create view gone as select wal_write from pg_stat_wal`, earlier);
      const broken = await ask('select 1');

      expect(broken.code).toBe(1);
      expect(broken.output).toContain('is as it was');
      expect((await ask('select count(*)::int from kept', earlier)).rows).toBe('[{"count":1000}]');
    });
  });
});
