/** A page is held in memory several times while it is made and sent. Fifty of the largest messages would be 50 MB. */
export const MAX_PAGE_BYTES = 2 * 1024 * 1024;

/** How many of the first records fit on a page. At least one, however large it is. */
export function fittingRecords(sizes: readonly number[]): number {
  let bytes = 0;
  const tooMuch = sizes.findIndex((size, index) => (bytes += size) > MAX_PAGE_BYTES && index > 0);
  return tooMuch === -1 ? sizes.length : tooMuch;
}

/** How many records precede each page. */
export function pageStarts(sizes: readonly number[], perPage: number): number[] {
  const starts: number[] = [];
  for (let start = 0; start < sizes.length; start += fittingRecords(sizes.slice(start, start + perPage)))
    starts.push(start);
  return starts;
}
