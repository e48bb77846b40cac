import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { type Exported, exportedBy } from './exported.js';
import { type Selector, selectorsIn } from './promql.js';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const dashboard = JSON.parse(readFileSync('docs/grafana/deskwire.json', 'utf8')) as { panels: Panel[] };
const { groups } = parse(readFileSync('docs/prometheus/alerts.yml', 'utf8')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const guide = readFileSync('docs/operations.md', 'utf8');

let desk: Desk;
let exported: Exported;
beforeAll(async () => {
  desk = await startDesk();
  const port = String(await freePort());
  const receiver = await desk.receiver();
  await desk.webhook('ticket_started', receiver.url);
  await desk.worker({ WORKER_PORT: port });
  await startTicket(desk);
  await receiver.received(1);
  exported = await eventually(async () => {
    const all = await exportedBy([desk.base, `http://127.0.0.1:${port}`]);
    const isSettled = /deskwire_deliveries_settled_total\{[^}]*state="delivered"[^}]*\} 1/.test(all.text);
    const upkeep = /deskwire_upkeep_done_timestamp_seconds\{/.test(all.text) && /task="\w+",result="/.test(all.text);
    return isSettled && upkeep && all;
  });
});
afterAll(() => desk.stop());

const problem = ({ metric, labels }: Selector): string | undefined => {
  const known = exported.series.get(metric);
  if (!known) return `${metric} is not exported`;
  for (const { name, operator, value } of labels) {
    const values = known.get(name);
    if (!values) return `${metric} has no label ${name}`;
    if (operator === '=' && !values.has(value)) return `${metric} never has ${name}="${value}"`;
  }
  return undefined;
};

const problemsOf = (expr: string): string[] => selectorsIn(expr).flatMap((selector) => problem(selector) ?? []);

describe('the dashboard', () => {
  it('uses only exported metrics', () => {
    const targets = dashboard.panels.flatMap(({ targets: all = [] }) => all);

    expect(targets.length).toBeGreaterThan(30);
    expect(targets.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  });
});

describe('the alerts', () => {
  it('use only exported metrics', () => {
    expect(alerts.length).toBeGreaterThan(10);
    expect(alerts.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  });

  it('link to an explanation of each', () => {
    const headings = [...guide.matchAll(/^### (\w+)$/gm)].map(([, name]) => name ?? '');

    expect(headings.filter((name) => name.startsWith('Deskwire'))).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });
});

describe('the table of metrics', () => {
  it('lists each of our metrics, and no other', () => {
    const documented = [...guide.matchAll(/^\| `(deskwire_\w+)`/gm)].map(([, name]) => name ?? '');
    const ours = [...exported.families].filter((name) => name.startsWith('deskwire_'));

    expect(documented.toSorted()).toEqual(ours.toSorted());
  });
});

describe('the parser of expressions', () => {
  it.each([
    [
      'max(deskwire_workers) < 1 or absent(deskwire_workers)',
      [
        ['deskwire_workers', ''],
        ['deskwire_workers', ''],
      ],
    ],
    ['sum by (le, route) (rate(a_bucket{b="c",d!~"e{2}"}[5m]))', [['a_bucket', 'b=c d!~e{2}']]],
    ['time() - min(max by (task) (at_seconds)) > 3 * 3600', [['at_seconds', '']]],
    [
      'topk(8, x_total and y_total) > bool 2',
      [
        ['x_total', ''],
        ['y_total', ''],
      ],
    ],
  ])('finds the series of %s', (expr, found) => {
    const words = selectorsIn(expr).map(({ metric, labels }) => [
      metric,
      labels.map(({ name, operator, value }) => `${name}${operator}${value}`).join(' '),
    ]);

    expect(words).toEqual(found);
  });

  it.each([
    ['sum(a', 'not closed'],
    ['sum a)', 'too many'],
    ['rate(a{b="c"[5m])', 'Not understood'],
    ['a{b=c}', 'Not a label matcher'],
    ['unknown_function(a)', 'Unknown function'],
    ['rate(a[5x])', 'Not understood'],
  ])('refuses %s', (expr, why) => {
    expect(() => selectorsIn(expr)).toThrow(why);
  });
});
