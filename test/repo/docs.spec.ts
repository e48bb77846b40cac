import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = [
  'libs/sdk/README.md',
  ...readdirSync('.'),
  ...readdirSync('docs', { recursive: true }).map((name) => join('docs', String(name))),
].filter((name) => name.endsWith('.md'));

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8');

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target]) => target ?? '');

    expect(links.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([]);
  });

  it('links to headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g)];
    const broken = links.filter(([, target = '', anchor = '']) => {
      const file = target === '' ? page : join(dirname(page), target);
      return file.endsWith('.md') && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
    });

    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names files of the project that exist', () => {
    const named = [...text.matchAll(/`((?:apps|libs|test|bench|docs)\/[\w./-]+\.\w+)`/g)].map(([, path]) => path ?? '');

    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** The anchors that GitHub gives to the headings. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const prose = markdown.replaceAll(/^```[^]*?^```/gm, '');
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  const seen = new Map<string, number>();
  return new Set(
    headings.map((heading) => {
      const anchor = heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      return times === 0 ? anchor : `${anchor}-${times}`;
    }),
  );
}

const GUIDES = pages.filter((page) => /^docs\/(?:getting-started|receivers|webhooks.*|recipes\/.*)\.md$/.test(page));

it.each(GUIDES)('%s has at most 450 lines', (page) => {
  expect(readFileSync(page, 'utf8').split('\n').length).toBeLessThanOrEqual(451);
});
