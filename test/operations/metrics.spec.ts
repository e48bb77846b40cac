import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../apps/launcher/src/ports.js';
import { deskForFile } from '#test/support/desk-for-file.js';
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

const desk = deskForFile();
let exported: Exported;
beforeAll(async () => {
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
