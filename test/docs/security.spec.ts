import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/security.md', 'utf8');
const promised = /## What is promised\n(.*?)\n## /s.exec(text)?.[1] ?? '';
const rows = promised
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| *(threat|-+) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

describe('docs/security.md', () => {
  it('makes a promise to each group of readers', () => {
    expect(promised.match(/^### /gm)?.length).toBeGreaterThan(4);
    expect(rows.length).toBeGreaterThan(20);
  });

  it.each(rows.map(([, threat = '', , tests = '']) => [threat, tests]))('names a test for: %s', (_threat, tests) => {
    const named = [...tests.matchAll(/`([^`]+\.spec\.ts)`/g)].map(([, path]) => path ?? '');

    expect(named).not.toEqual([]);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('has a link on the front page, and one to the page for reports', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('(docs/security.md)');
    expect(readFileSync('SECURITY.md', 'utf8')).toContain('(docs/security.md)');
    expect(text).toContain('(../SECURITY.md)');
  });
});
