export const PERIODS = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
] as const;

const HOUR_MS = 3_600_000;
const HOURS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168 };

export interface Period {
  /** As in the address; null for any time. */
  readonly since: string | null;
  readonly from: Date | undefined;
}

/** An unknown period means any time. */
export function parsePeriod(asked: string, now: Date): Period {
  const hours = Object.hasOwn(HOURS, asked) ? HOURS[asked] : undefined;
  if (hours === undefined) return { since: null, from: undefined };
  return { since: asked, from: new Date(now.getTime() - hours * HOUR_MS) };
}
