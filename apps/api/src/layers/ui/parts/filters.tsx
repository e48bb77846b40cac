import type { ComponentChildren } from 'preact';
import { type ChoiceProps, SelectOptions } from './fields.js';

export function FilterForm(props: { action: string; label: string; children: ComponentChildren }) {
  const { action, label, children } = props;
  return (
    <form action={action} class="row" aria-label={label}>
      {children}
      <button type="submit">Filter</button>
    </form>
  );
}

export function FilterSelect(props: ChoiceProps & { name: string; label: string; all: string }) {
  const { name, label, all, choices, chosen } = props;
  return (
    <select name={name} class="slim fit" aria-label={label}>
      <SelectOptions choices={[{ value: '', label: all }, ...choices]} chosen={chosen} />
    </select>
  );
}

const PERIODS = [
  { value: '1h', label: 'Last hour', hours: 1 },
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 168 },
] as const;

export const PeriodSelect = ({ since }: { since: string | null }) => (
  <FilterSelect name="since" label="Time" all="Any time" choices={PERIODS} chosen={since} />
);

const HOUR_MS = 3_600_000;

/** `since` is the value in the address, or null for any time. */
export function parsePeriod(text: string, now: Date): { since: string | null; from: Date | undefined } {
  const period = PERIODS.find(({ value }) => value === text);
  return { since: period?.value ?? null, from: period && new Date(now.getTime() - period.hours * HOUR_MS) };
}
