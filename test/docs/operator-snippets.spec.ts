import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { readSettings } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseEnvironmentFile } from './environment-file.js';
import { snippetsIn } from './operator-pages.js';
import { checkUsage, commandLines, operatorWords, tableCommands } from './printed-commands.js';

const { scripts: SCRIPTS } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };

describe.each(snippetsIn('dotenv'))('the settings at %s', (_place, { text }) => {
  const installation = {
    DATABASE_URL: 'postgres://deskwire@127.0.0.1/deskwire',
    PUBLIC_URL: 'https://desk.example.com',
    SECRETS_KEY: 'k1:…',
  };
  const printed = parseEnvironmentFile(text);

  it('starts the product under systemd', () => {
    const settings = { ...installation, ...printed };
    const key = randomBytes(32).toString('base64');

    expect(() => readSettings({ ...settings, SECRETS_KEY: settings.SECRETS_KEY.replace('…', key) })).not.toThrow();
  });

  it('gives `npm start` the same settings as systemd', () => {
    expect(parseEnv(text)).toEqual(printed);
  });
});

describe.each(snippetsIn('sh'))('the commands at %s', (_place, { text }) => {
  it('passes the syntax check of the shell', () => {
    expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('names only Deskwire commands and flags that exist', () => {
    const lines = commandLines(text);
    const scripts = lines.filter(([program, word]) => program === 'npm' && word === 'run').map((words) => words[2]);

    expect(Object.keys(SCRIPTS)).toEqual(expect.arrayContaining(scripts));
    expect(() => lines.forEach((words) => checkUsage(operatorWords(words)))).not.toThrow();
  });
});

it.each(tableCommands().map((words) => [words.join(' '), words] as const))(
  'accepts on the command line %s',
  (_line, words) => {
    expect(() => checkUsage(words)).not.toThrow();
  },
);

it.each(snippetsIn('yaml'))('contains well-formed YAML at %s', (_place, { text }) => {
  const documents = parseAllDocuments(text, { strict: true });

  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
});
