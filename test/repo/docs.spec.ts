import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  ...readdirSync('.'),
  ...readdirSync('docs', { recursive: true }).map((name) => join('docs', String(name))),
].filter((name) => name.endsWith('.md'));

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target]) => target ?? '');

    expect(links.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it('names files of the project that exist', () => {
    const named = [...text.matchAll(/`((?:apps|libs|test|bench|docs)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '');

    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
