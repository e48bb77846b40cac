import { BLANK, CR, DASH, LF, TAB } from './ascii.js';

/**
 * Null if the boundary is missing or only ends the body. Returns at most `most` + 1 parts, so that the caller sees that
 * there are more.
 */
export function splitAtBoundary(body: Buffer, boundary: string, most: number): Buffer[] | null {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let begun: number | null = null;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    const line = delimiterAt(body, at, delimiter.length);
    // A final delimiter before the first ends nothing.
    if (!line || (line.isFinal && begun === null)) continue;
    if (begun !== null) parts.push(body.subarray(begun, Math.max(begun, endBefore(body, at))));
    if (line.isFinal || parts.length > most) return parts;
    begun = line.next;
  }
  // The final delimiter is missing.
  if (begun !== null) parts.push(body.subarray(begun));
  return begun === null ? null : parts;
}

export function beforeFinalDelimiter(body: Buffer, boundary: string): Buffer {
  const delimiter = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length))
    if (delimiterAt(body, at, delimiter.length)?.isFinal) return body.subarray(0, endBefore(body, at));
  return body;
}

/** A delimiter fills its line, except for blanks at the end. */
function delimiterAt(body: Buffer, at: number, length: number) {
  if (at > 0 && body[at - 1] !== LF) return null;
  let end = at + length;
  const isFinal = body[end] === DASH && body[end + 1] === DASH;
  if (isFinal) end += 2;
  while (body[end] === BLANK || body[end] === TAB || body[end] === CR) end++;
  return end >= body.length || body[end] === LF ? { isFinal, next: Math.min(end + 1, body.length) } : null;
}

/** The line ending before it belongs to the delimiter. */
function endBefore(body: Buffer, at: number): number {
  if (body[at - 1] !== LF) return at;
  return body[at - 2] === CR ? at - 2 : at - 1;
}

const MAX_SEARCHED_BYTES = 4096;
const MAX_BOUNDARY_CHARACTERS = 70;

/** Some headers name no boundary or a wrong one. The first line that looks like a delimiter counts. */
export function guessBoundary(body: Buffer): string | null {
  const lines = body.toString('latin1', 0, MAX_SEARCHED_BYTES).split('\n');
  const found = lines.findIndex((line, at) => /^--\S/.test(line) && /^content-/i.test(lines[at + 1] ?? ''));
  return lines[found]?.slice(2).trimEnd().slice(0, MAX_BOUNDARY_CHARACTERS) ?? null;
}
