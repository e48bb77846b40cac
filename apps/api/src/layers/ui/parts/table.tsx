import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** A name in parentheses is only for screen readers. */
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly class?: string;
  /** Understood without its name, which phones then leave out. */
  readonly plain?: boolean;
  readonly title?: (row: Row) => string;
}

export const actionsColumn = <Row,>(cell: Column<Row>['cell']): Column<Row> => ({
  name: '(Actions)',
  class: 'end',
  cell,
});

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly id?: string;
  readonly live?: boolean;
}

/** Focusable, so that a keyboard can scroll it sideways. */
export function Table<Row>({ caption, columns, rows, id, live = false }: TableProps<Row>) {
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0} id={id} data-live={live || undefined}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th scope="col" key={name}>
                {shownName(name) ?? <span class="unseen">{name.slice(1, -1)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, cell, class: className, plain, title }) => (
                <td class={className} title={title?.(row)} data-name={plain ? undefined : shownName(name)} key={name}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const shownName = (name: string): string | undefined => (name.startsWith('(') ? undefined : name);

export interface PagerLinks {
  readonly next: string | null;
  readonly first: string | null;
}

export function pagerLinks(
  path: string,
  filters: Readonly<Record<string, string | null>>,
  { cursor, next }: { cursor: string | null | undefined; next: string | null },
): PagerLinks {
  const set = Object.entries(filters).filter((filter): filter is [string, string] => Boolean(filter[1]));
  const linkTo = (place: string[][]): string => `${path}?${new URLSearchParams([...set, ...place])}`;
  return { next: next && linkTo([['cursor', next]]), first: cursor ? linkTo([]) : null };
}

/** Pages have cursors, so only the next page and the first one are reachable. */
export function Pager({ next, first, label }: PagerLinks & { label?: ComponentChildren }) {
  if (!next && !first) return null;
  return (
    <nav class="pager row apart" aria-label="Pages">
      {first ? <a href={first}>Back to first</a> : <span class="quiet">{label}</span>}
      {next && (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}
