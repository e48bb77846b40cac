/**
 * Ids, numbers, moments and single words, written the way PostgreSQL reads a list of them. None of them needs quotes,
 * for which pg would search each, and it is these that batches are full of.
 */
export function arrayLiteral(values: readonly (string | number | Date | null)[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: string | number | Date | null): string | number {
  if (value === null) return 'NULL';
  return value instanceof Date ? value.toISOString() : value;
}
