import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const LEDGER = 'libs/webhooks/src/ledger';

/** They read deliveries, or write replays; no delivery changes its state by them. */
const NOT_TRANSITIONS = [
  'countRange',
  'takeDueReplay',
  'lockReplayedWebhook',
  'cancelReplays',
  'saveReplay',
  'sweepReplays',
];

it('The diagram of a delivery’s states names each function of the ledger, and no other', () => {
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
