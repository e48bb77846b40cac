import { type Column, Table } from './table.js';
import type { Tone } from './indicators.js';

export type BarPart = { readonly name: string; readonly tone: Tone };

export interface Bar {
  readonly label: string;
  /** The heights of the parts, from the bottom up. */
  readonly values: readonly number[];
  /** Values of the tooltips and the table, if they differ from the heights. */
  readonly shown?: readonly number[];
}

interface Bars {
  readonly parts: readonly BarPart[];
  readonly bars: readonly Bar[];
  readonly words?: (value: number) => string;
}

interface BarChartProps extends Bars {
  readonly title: string;
  readonly ends: readonly [string, string];
}

const WIDTH = 480;
const HEIGHT = 96;

/** Rendered on the server, with a table for people who cannot see the chart. */
export function BarChart({ title, parts, bars, ends, words = String }: BarChartProps) {
  const highest = Math.max(0, ...bars.map(({ values }) => sum(values)));
  return (
    <figure class="chart">
      <figcaption class="row apart">
        <strong>{title}</strong>
        <Legend parts={parts} />
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <line class="axis" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        <BarShapes parts={parts} bars={bars} words={words} width={WIDTH} height={HEIGHT} />
      </svg>
      <p class="row apart quiet small">
        <span>{ends[0]}</span>
        <span>{highest > 0 ? `highest: ${words(highest)}` : 'nothing yet'}</span>
        <span>{ends[1]}</span>
      </p>
      <details>
        <summary>As a table</summary>
        <Table caption={title} columns={columnsFor(parts, words)} rows={bars} />
      </details>
    </figure>
  );
}

/** A chart in a line of text. Screen readers read only its label. */
export function Sparkline({ label, parts, bars }: Bars & { label: string }) {
  return (
    <svg class="sparkline" viewBox="0 0 96 20" role="img" aria-label={label}>
      <line class="axis" x1="0" x2="96" y1="19.5" y2="19.5" />
      <BarShapes parts={parts} bars={bars} width={96} height={20} />
    </svg>
  );
}

function Legend({ parts }: Pick<Bars, 'parts'>) {
  return (
    <span class="row legend small">
      {parts.map(({ name, tone }) => (
        <span key={name}>
          <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`bar ${tone}`} width="10" height="10" rx="2" />
          </svg>{' '}
          {name}
        </span>
      ))}
    </span>
  );
}

/** Keeps small parts visible beside large ones. */
const MIN_BAR_HEIGHT = 1.5;

function BarShapes({ parts, bars, words = String, width, height }: Bars & { width: number; height: number }) {
  const highest = Math.max(1, ...bars.map(({ values }) => sum(values)));
  const step = width / Math.max(1, bars.length);
  return (
    <>
      {bars.flatMap(({ label, values, shown = values }, place) => {
        let top = height;
        return values.map((value, part) => {
          if (value === 0) return null;
          const tall = Math.max(MIN_BAR_HEIGHT, (value / highest) * (height - MIN_BAR_HEIGHT * parts.length));
          top -= tall;
          const { name, tone } = parts[part]!;
          return (
            <rect
              key={`${place} ${part}`}
              class={`bar ${tone}`}
              x={rounded(place * step + step * 0.1)}
              y={rounded(top)}
              width={rounded(step * 0.8)}
              height={rounded(tall)}
            >
              <title>{`${label}: ${words(shown[part] ?? 0)} ${name}`}</title>
            </rect>
          );
        });
      })}
    </>
  );
}

const columnsFor = (parts: readonly BarPart[], words: (value: number) => string): Column<Bar>[] => [
  { name: 'From', class: 'clip', cell: ({ label }) => label },
  ...parts.map(({ name }, part) => ({
    name,
    class: 'number',
    cell: ({ values, shown = values }: Bar) => words(shown[part] ?? 0),
  })),
];

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const rounded = (value: number): number => Math.round(value * 100) / 100;
