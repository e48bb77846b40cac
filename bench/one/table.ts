import type { Measured } from './contestant.js';
import type { Stage } from './stages.js';

export type Figures = Readonly<Record<string, Measured | number>>;

/** The run in the middle, each figure by itself. */
export function middleOf(runs: readonly Figures[]): Figures {
  return Object.fromEntries(
    Object.keys(runs[0] ?? {}).map((name) => [name, middle(runs.map((figures) => figures[name]!))]),
  );
}

function middle<T extends Measured | number>(values: readonly T[]): T {
  const keyOf = (value: T): number => (typeof value === 'number' ? value : value.p50);
  return values.toSorted((a, b) => keyOf(a) - keyOf(b))[values.length >> 1]!;
}

interface Both {
  readonly bare: Figures;
  readonly product: Figures;
}

export function oneTable(figures: Both, stages: readonly (Stage & { part: string })[]): string {
  const { bare, product } = figures;
  const rows = Object.entries(product).map(([name, measured]) => row(name, baselineOf(name, bare), measured));
  const stageRows = stages.map(({ part, stage, beginsMs, takesMs, times }) => [
    `${part}: ${stage}`,
    `begins ${beginsMs.toFixed(2)} ms, takes ${takesMs.toFixed(2)} ms, ${times.toFixed(2)} times`,
  ]);
  return [...rows, ...stageRows].map(([name = '', text = '']) => `${name.padEnd(32)}  ${text}`).join('\n');
}

/** The bare pipeline knows neither accounts nor tickets. */
function baselineOf(name: string, bare: Figures): Measured | number | undefined {
  if (name === 'new tickets') return bare['message posts'];
  return bare[name.replace('fifty accounts', 'one account')];
}

function row(name: string, bare: Measured | number | undefined, product: Measured | number): [string, string] {
  if (typeof bare === 'number' && typeof product === 'number')
    return [name, `${bare.toFixed(0)} → ${product.toFixed(0)}/s (${(product / bare).toFixed(2)})`];
  if (typeof bare !== 'object' || typeof product !== 'object') return [name, 'not compared'];
  const figures = (['p50', 'p95', 'p99', 'cpuMsInAll'] as const).map((key) => compared(key, bare[key], product[key]));
  return [name, `${figures.join(', ')} [bare ${shares(bare)}; product ${shares(product)}]`];
}

const compared = (key: string, bare: number, product: number): string =>
  `${key.replace('cpuMsInAll', 'CPU')} ${bare.toFixed(2)} → ${product.toFixed(2)} ms (${(product / bare).toFixed(2)})`;

const shares = ({ cpuMs }: Measured): string =>
  Object.entries(cpuMs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(', ');
