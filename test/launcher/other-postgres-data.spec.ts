// @module-tag long
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Launched } from './launched.js';
import { standInProject, type StandInProject } from './stand-in-project.js';

describe('data of another major version of PostgreSQL', () => {
  let project: StandInProject;

  beforeEach(async () => (project = await standInProject()));
  afterEach(() => project.remove());

  it.each([9, 99])('stops the start and stays unchanged: version %s', async (major) => {
    const folder = path.join(project.dataDir, `postgres-${major}`);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'PG_VERSION'), `${major}\n`);
    const launched = Launched.start(['run', '--no-redis', '--', process.execPath, '-e', ''], project);

    expect(await launched.ended).toBe(1);
    expect(launched.output).toContain(`The data in ${folder} is from PostgreSQL ${major}`);
    expect(launched.output).toContain(`Set PG_BIN to the bin folder of PostgreSQL ${major}`);
    expect(fs.readdirSync(project.dataDir).filter((name) => name.startsWith('postgres-'))).toEqual([
      `postgres-${major}`,
    ]);
  });
});
