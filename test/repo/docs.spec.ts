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

const LEDGER = 'libs/webhooks/src/ledger';

/** Functions that read deliveries or write replays, and change no state of a delivery. */
const NOT_TRANSITIONS = [
  'countRange',
  'readLateEvents',
  'takeDueReplay',
  'lockReplayedWebhook',
  'cancelReplays',
  'saveReplay',
  'sweepReplays',
];

it('lists each function of the ledger in the diagram of the states of a delivery', () => {
  const diagram = /```mermaid\nstateDiagram-v2\n(.*?)```/s.exec(readFileSync('docs/architecture.md', 'utf8'))![1]!;
  const named = diagram
    .split('\n')
    .filter((line) => line.includes('-->'))
    .flatMap((line) =>
      line
        .split(': ')[1]!
        .replaceAll(/\(.*?\)/g, '')
        .split(','),
    )
    .map((name) => name.trim());
  const functions = readdirSync(LEDGER)
    .flatMap((file) => [...readFileSync(`${LEDGER}/${file}`, 'utf8').matchAll(/^export (?:async )?function (\w+)/gm)])
    .map(([, name]) => name!);

  const expected = ['EventsService.record', ...functions.filter((name) => !NOT_TRANSITIONS.includes(name))];
  expect([...new Set(named)].sort()).toEqual(expected.sort());
  expect(functions).toEqual(expect.arrayContaining(NOT_TRANSITIONS));
});
