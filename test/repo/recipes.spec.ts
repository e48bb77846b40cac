import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RECIPES, type Recipe } from './recipes.js';

const run = promisify(execFile);

const edited = Object.values(RECIPES).flatMap((recipe) => Object.keys(recipe));

const GENERATED = [
  ['docs/webhooks.md', '"nickname"'],
  ['docs/webhooks.md', 'customer_changed'],
  ['.env.example', 'SNIPPETS_PER_PAGE'],
] as const;

describe('the recipes of CONTRIBUTING.md', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## Recipes\n')[1]!.split('\n## ')[0]!;
  let copy: string;

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'recipes-'));
    const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard']);
    for (const file of stdout.trim().split('\n')) if (existsSync(file)) cpSync(file, join(copy, file));
    // The rendering threads are compiled also in tests.
    for (const folder of ['node_modules', 'dist']) symlinkSync(resolve(folder), join(copy, folder));
    for (const [name, recipe] of Object.entries(RECIPES)) apply(name, recipe, copy);
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('edit only what the page names', () => {
    const onPage = page.split('\n\n').filter((paragraph) => paragraph.trim().startsWith('**'));
    const unnamed = onPage.flatMap((paragraph) => {
      const paths = [...paragraph.matchAll(/`((?:apps|libs|test)\/[^`]+)`/g)].map(([, path]) => path!);
      const files = Object.keys(RECIPES[nameOf(paragraph)] ?? {});
      return files.filter((file) => !paths.some((path) => file.startsWith(path)));
    });

    expect(onPage.map(nameOf)).toEqual(Object.keys(RECIPES));
    expect(unnamed).toEqual([]);
  });

  it('compile', () => {
    expect(typeErrorsIn(copy)).toEqual([]);
  }, 120_000);

  it('give a product that works and has its documents', async () => {
    renameSync(join(copy, 'test/repo/recipe-results.ts'), join(copy, 'test/repo/recipe-results.spec.ts'));
    const specs = ['test/docs/generated', 'test/repo/names', 'test/repo/schema', 'test/repo/recipe-results'];
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...specs, '--update'];

    const report = await run(process.execPath, vitest, { cwd: copy }).catch((error: Error) => error);

    expect(stripVTControlCharacters(Object.values(report).join('\n'))).toMatch(/Test Files +4 passed/);
    expect(GENERATED.filter(([file, word]) => !readFileSync(join(copy, file), 'utf8').includes(word))).toEqual([]);
  }, 120_000);
});

const nameOf = (paragraph: string): string => paragraph.split('**')[1]!;

function apply(name: string, recipe: Recipe, root: string): void {
  for (const [file, edit] of Object.entries(recipe)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof edit === 'string') writeFileSync(path, edit);
    else
      for (const [line, text] of Object.entries(edit)) {
        const parts = readFileSync(path, 'utf8').split(`\n${line}\n`);
        if (parts.length !== 2) throw new Error(moved(name, file, line));
        writeFileSync(path, parts.join(typeof text === 'string' ? `\n${line}\n${text}\n` : `\n${text.instead}\n`));
      }
  }
}

const moved = (name: string, file: string, line: string): string =>
  `“${name}” needs this line exactly once in ${file}: ${line.trim()}\n` +
  'Change test/repo/recipes.ts, and CONTRIBUTING.md if the recipe is another now.';

/** Checks the edited files and those that import them: the whole project takes four times as long. */
function typeErrorsIn(root: string): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)!;
  const wanted = new Set(edited.map((file) => join(root, file)));
  const isChecked = (file: string): boolean => wanted.has(file) || importsOf(file).some((name) => wanted.has(name));
  const checked = fileNames.filter((file) => isChecked(file));
  const program = ts.createProgram(checked, options);
  const errors = checked.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
  return errors.map((error) => ts.formatDiagnostic(error, ts.createCompilerHost(options)));
}

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)\.js'/g)].flatMap(([, name]) =>
    ['.ts', '.tsx'].map((extension) => join(dirname(file), name + extension)),
  );
