export interface Exported {
  readonly text: string;
  /** Names as in `# TYPE`. */
  readonly families: ReadonlySet<string>;
  /** Of each series by its whole name: its labels, and the values they have. */
  readonly series: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
}

/** What is there to be asked for in Prometheus, which adds where it got it from. */
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
