export interface Exported {
  readonly text: string;
  /** Names as in `# TYPE`. */
  readonly families: ReadonlySet<string>;
  /** By the full name of a series: its labels and their values. */
  readonly series: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** Everything that Prometheus can query. It adds the label of its source. */
export async function exportedBy(bases: readonly string[]): Promise<Exported> {
  const texts = await Promise.all(bases.map(async (base) => (await fetch(`${base}/metrics`)).text()));
  const series = new Map<string, Map<string, Set<string>>>();
  for (const line of texts.join('\n').split('\n')) {
    const [, name, labels = ''] = /^([a-z_]\w*)(?:\{(.*)\})? \S+$/i.exec(line) ?? [];
    if (!name) continue;
    const known = series.get(name) ?? new Map<string, Set<string>>([['instance', new Set(['any'])]]);
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      known.set(label, (known.get(label) ?? new Set<string>()).add(value));
    series.set(name, known);
  }
  const text = texts.join('\n');
  const families = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''));
  return { text, families, series };
}
