import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly caption: string;
  /** A name in parentheses is read out but not shown. */
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly live?: boolean;
}

/** It can be focused, so that a keyboard can scroll it sideways where the window is narrow. */
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
  /** Where the page begins, and where the next one does. */
  readonly cursor: string | null | undefined;
  readonly next: string | null;
}

/** Addresses of the same list, further on and from its beginning. */
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

/** By cursor, like the API: forward to what is next, or back to the beginning. */
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
