/**
 * Bytes of records on one page. A page is held in memory several times while it is made and sent, and fifty of the
 * largest messages would be 50 MB.
 */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** How many of the first records fit on a page: one at least, however large it is. */
export function fittingRecords(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMuch = sizes.findIndex((size, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0);
  return tooMuch === -1 ? sizes.length : tooMuch;
}

/** How many records come before each page, if a page has `perPage` of them at most. */
export function pageStarts(sizes: readonly number[], perPage: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < sizes.length; start += fittingRecords(sizes.slice(start, start + perPage)))
    starts.push(start);
  return starts;
}
