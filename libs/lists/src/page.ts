export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly cursor: string | undefined;
  /** Without a count, only the first page has a number. */
  readonly uncounted?: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly totalPages: number;
  readonly capped: boolean;
  readonly next: string | null;
  readonly previous: string | null;
}

export const wholePage = <T>(items: readonly T[]): Page<T> => ({
  items,
  page: 1,
  perPage: 25,
  total: items.length,
  totalPages: Math.ceil(items.length / 25),
  capped: false,
  next: null,
  previous: null,
});

/** Fifty of the largest messages would be 50 MB, held in memory several times. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** How many of the first records fit on a page. At least one, however large it is. */
export function fittingRecords(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMuch = sizes.findIndex((size, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0);
  return tooMuch === -1 ? sizes.length : tooMuch;
}

export function pageStarts(sizes: readonly number[], perPage: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < sizes.length; start += fittingRecords(sizes.slice(start, start + perPage)))
    starts.push(start);
  return starts;
}
