import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly caption: string;
  /** A name in parentheses is hidden, and only read out. */
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly live?: boolean;
}

/** It can have the focus, so that a keyboard can scroll it sideways in a narrow window. */
export function Table({ caption, columns, children, id, live = false }: TableProps) {
  return (
    <div class="table" role="region" aria-label={caption} tabIndex={0} id={id} data-live={live || undefined}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column.startsWith('(') ? <span class="unseen">{column.slice(1, -1)}</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export interface PagerLinks {
  readonly next: string | null;
  readonly first: string | null;
}

interface PagerPlace {
  /** The cursors of this page and of the next. */
  readonly cursor: string | null | undefined;
  readonly next: string | null;
}

/** The addresses of the next page and of the first. */
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

/** Pages have cursors, as in the API: people go to the next page or back to the first. */
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
