import { InvalidArgumentError } from 'commander';

/** For an option that may be given several times, each a value or a comma list. */
export const collectList = (value: string, before: string[] | undefined): string[] => [
  ...(before ?? []),
  ...value.split(',').map((part) => part.trim()),
];

/** For an option that may be given several times and whose values may hold commas. */
export const collectValues = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new InvalidArgumentError('Give a whole number.');
  return number;
}

export function parseTime(text: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Give a time such as 2026-01-31T08:00:00Z.');
  return time;
}
