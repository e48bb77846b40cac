import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HAPROXY, PGBOUNCER } from '../topologies/machines/balancer.js';
import { PATRONI } from '../topologies/machines/patroni-configuration.js';
import { CLUSTER_NODE } from '../topologies/support/redis-cluster.js';
import { SENTINEL, SENTINEL_SERVER } from '../topologies/support/sentinels.js';

const PAGE = readFileSync('docs/machines.md', 'utf8');

/** Lines of the first block with this beginning after this heading, without comments and values of the installation. */
function documented(heading: string, beginning: string): string[] {
  const section = PAGE.slice(PAGE.indexOf(`### ${heading}\n`));
  const block = [...section.matchAll(/^```\w*\n([^]*?)\n```$/gm)].map(([, text]) => text!);
  const lines = block.find((text) => text.startsWith(beginning))!.split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

const OF_EACH_INSTALLATION = /^(server |bind |listen |mode |requirepass |masterauth |sentinel (monitor|auth-pass) )/;

const withoutOwn = (lines: readonly string[]): string[] => lines.filter((line) => !OF_EACH_INSTALLATION.test(line));

/** The name of the primary in docs/machines.md. */
const named = (line: string): string => line.replace(' desk ', ' mymaster ');

describe('the settings to copy from docs/machines.md', () => {
  it.each([
    ['PgBouncer in transaction mode', '[pgbouncer]', PGBOUNCER.split('\n')],
    ['Patroni and HAProxy', 'listen postgres', HAPROXY.split('\n')],
    ['Sentinel', '# Each server', [...SENTINEL_SERVER, ...SENTINEL.map(named)]],
    ['Cluster', '# Each node', CLUSTER_NODE],
  ])('match the tested ones for %s: %s', (heading, beginning, tested) => {
    const lines = withoutOwn(documented(heading, beginning));

    expect(lines.length).toBeGreaterThan(1);
    expect(tested.map((line) => line.trim())).toEqual(expect.arrayContaining(lines));
  });

  it('match the tested ones for Patroni', () => {
    const settings = documented('Patroni and HAProxy', 'bootstrap:').filter((line) => !line.endsWith(':'));

    expect(settings.length).toBeGreaterThan(1);
    expect(leavesOf(PATRONI)).toEqual(expect.arrayContaining(settings));
  });
});

/** As YAML writes them, each on a line. */
function leavesOf(tree: object): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'object' ? leavesOf(value as object) : [`${name}: ${String(value)}`],
  );
}
