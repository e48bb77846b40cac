import type { Accepted, Measured } from './contestant.js';
import type { Stage } from './stages.js';

export type Figure = Measured | Accepted;

export type Figures = Readonly<Record<string, Figure>>;

/** The median run, per figure. */
export function middleOf(runs: readonly Figures[]): Figures {
  return Object.fromEntries(
    Object.keys(runs[0] ?? {}).map((name) => [name, middle(runs.map((figures) => figures[name]!))]),
  );
}

function middle(values: readonly Figure[]): Figure {
  const keyOf = (value: Figure): number => ('p50' in value ? value.p50 : value.perSecond);
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

/** The bare pipeline has neither accounts nor tickets. */
function baselineOf(name: string, bare: Figures): Figure | undefined {
  if (name === 'new tickets') return bare['message posts'];
  return bare[name.replace('fifty accounts', 'one account')];
}

function row(name: string, bare: Figure | undefined, product: Figure): [string, string] {
  if (!bare) return [name, 'not compared'];
  return [name, `${figuresOf(bare, product)} [CPU: bare ${shares(bare)}; product ${shares(product)}]`];
}

function figuresOf(bare: Figure, product: Figure): string {
  if ('perSecond' in bare && 'perSecond' in product) {
    const [before, after] = [bare.perSecond, product.perSecond];
    return `${before.toFixed(0)} → ${after.toFixed(0)}/s (${(after / before).toFixed(2)})`;
  }
  if (!('p50' in bare) || !('p50' in product)) throw new Error('Two figures of different kinds were compared');
  return (['p50', 'p95', 'p99', 'cpuMsInAll'] as const).map((key) => compared(key, bare[key], product[key])).join(', ');
}

const compared = (key: string, bare: number, product: number): string =>
  `${key.replace('cpuMsInAll', 'CPU')} ${bare.toFixed(2)} → ${product.toFixed(2)} ms (${(product / bare).toFixed(2)})`;

const shares = ({ cpuMs }: Figure): string =>
  Object.entries(cpuMs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(', ');
