import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** A name in parentheses is only for screen readers. */
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly class?: string;
  readonly title?: (row: Row) => string;
}

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
                {name.startsWith('(') ? <span class="unseen">{name.slice(1, -1)}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map(({ name, cell, class: className, title }) => (
                <td
                  class={className}
                  title={title?.(row)}
                  data-name={name.startsWith('(') ? undefined : name}
                  key={name}
                >
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

export interface PagerLinks {
  readonly next: string | null;
  readonly first: string | null;
}

interface PagerPlace {
  readonly cursor: string | null | undefined;
  readonly next: string | null;
}

export function pagerLinks(
  path: string,
  filters: Readonly<Record<string, string | null>>,
  { cursor, next }: PagerPlace,
): PagerLinks {
  const set = Object.entries(filters).filter((filter): filter is [string, string] => Boolean(filter[1]));
  const linkTo = (place: string[][]): string => `${path}?${new URLSearchParams([...set, ...place])}`;
  return { next: next && linkTo([['cursor', next]]), first: cursor ? linkTo([]) : null };
}

interface PagerProps extends PagerLinks {
  readonly label?: ComponentChildren;
}

/** Pages have cursors, so only the next page and the first one are reachable. */
export function Pager({ next, first, label }: PagerProps) {
  if (!next && !first) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first ? <a href={first}>Back to first</a> : <span class="quiet">{label}</span>}
      {next && (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}
