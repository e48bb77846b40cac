export interface FieldChange {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** These change with every event, and would hide the change that matters. */
const IGNORED_FIELDS = new Set(['updated_at', 'href', 'links', 'app_url']);

export function changesBetween(before: string, after: string): FieldChange[] {
  const [was, is] = [parseRecord(before), parseRecord(after)];
  return Object.keys(is)
    .filter((field) => !IGNORED_FIELDS.has(field) && displayValue(was[field]) !== displayValue(is[field]))
    .map((field) => ({ field, before: displayValue(was[field]), after: displayValue(is[field]) }));
}

const parseRecord = (payload: string): Record<string, unknown> => JSON.parse(payload) as Record<string, unknown>;

function displayValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(displayValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
