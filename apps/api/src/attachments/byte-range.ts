/** What a `Range` header asks for of a file (RFC 9110 section 14). */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly first: number; readonly last: number }
  | { readonly kind: 'none' };

const WHOLE: AskedRange = { kind: 'whole' };
const NONE: AskedRange = { kind: 'none' };

/**
 * One range of bytes. Whatever else the header says is answered with the whole file, as the RFC lets a server do: other
 * units, several ranges, and what cannot be read.
 */
export function askedRange(header: string | undefined, size: number): AskedRange {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || `${from}${to}` === '') return WHOLE;
  if (from === '') return lastBytes(Number(to), size);
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return WHOLE;
  return first < size ? { kind: 'part', first, last } : NONE;
}

/** Of a file without bytes these are all of them, and no part could be named. */
function lastBytes(count: number, size: number): AskedRange {
  if (count === 0) return NONE;
  return size === 0 ? WHOLE : { kind: 'part', first: Math.max(0, size - count), last: size - 1 };
}
