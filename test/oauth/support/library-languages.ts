import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../docs/languages.js';
import type { Library } from './libraries.js';

const exec = promisify(execFile);
const PROGRAMS = fileURLToPath(new URL('../libraries', import.meta.url));

type Command = readonly [program: string, ...args: string[]];

interface Language {
  readonly needs: string;
  readonly separator: string;
  readonly install: (packages: readonly string[]) => readonly Command[];
  readonly run: (program: string) => Command;
}

const JAVASCRIPT: Language = {
  needs: 'npm',
  separator: '@',
  install: (packages) => [['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]],
  run: (program) => [process.execPath, program],
};

export const LANGUAGES: Readonly<Record<Library['language'], Language>> = {
  node: JAVASCRIPT,
  browser: JAVASCRIPT,
  python: {
    needs: 'python3',
    separator: '==',
    install: (packages) => [
      ['python3', '-m', 'venv', 'installed'],
      ['installed/bin/pip', 'install', '--quiet', ...packages],
    ],
    run: (program) => ['installed/bin/python', program],
  },
  go: {
    needs: 'go',
    separator: '@v',
    install: (packages) => [
      ['go', 'mod', 'init', 'example'],
      ['go', 'get', ...packages],
      ['go', 'build', '-o', 'program', '.'],
    ],
    run: () => ['./program'],
  },
};

export const isInstalled = (language: Library['language']): boolean => findProgram(LANGUAGES[language].needs) !== null;

/** Returns a folder with the libraries and the programs that use them. */
export async function installLibraries(language: Library['language'], libraries: readonly Library[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oauth-libraries-'));
  await cp(join(PROGRAMS, language), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  if (language === 'go') await saveGuideCode(folder, 'stored/source.go');
  const { separator, install } = LANGUAGES[language];
  const packages = libraries.flatMap(({ name, version, needs = [] }) => [`${name}${separator}${version}`, ...needs]);
  for (const [program, ...args] of install(packages))
    await exec(findProgram(program) ?? program, args, { cwd: folder });
  return folder;
}

/** The code in docs/oauth.md that the program imports. */
async function saveGuideCode(folder: string, file: string): Promise<void> {
  const guide = await readFile('docs/oauth.md', 'utf8');
  const code = guide.split(`\`\`\`go file=${file}\n`)[1]?.split('```')[0];
  if (code === undefined) throw new Error(`docs/oauth.md has no ${file}`);
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), code);
}
