/** One field of a record that is not what it was. */
export interface Change {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** Written with every change, so they say nothing of this one. */
const UNTOLD = new Set(['updated_at', 'href', 'links', 'app_url']);

/** What differs between two payloads of one record, in the words of the record. */
export function changesBetween(before: string, after: string): Change[] {
  const [was, is] = [recordOf(before), recordOf(after)];
  return Object.keys(is)
    .filter((field) => !UNTOLD.has(field) && wordOf(was[field]) !== wordOf(is[field]))
    .map((field) => ({ field, before: wordOf(was[field]), after: wordOf(is[field]) }));
}

const recordOf = (payload: string): Record<string, unknown> => JSON.parse(payload) as Record<string, unknown>;

function wordOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(wordOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
