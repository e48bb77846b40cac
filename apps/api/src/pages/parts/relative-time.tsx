import { usePageContext } from '../page-context.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, or in how long. The title has the exact time. */
export function RelativeTime({ at, short = false }: { at: Date; short?: boolean }) {
  const { now } = usePageContext();
  return (
    <time dateTime={at.toISOString()} title={formatExactTime(at)}>
      {short ? formatAge(now, at) : formatRelativeTime(now, at)}
    </time>
  );
}

export const formatExactTime = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export function formatRelativeTime(now: Date, at: Date): string {
  const difference = now.getTime() - at.getTime();
  if (Math.abs(difference) < 45_000) return difference < 0 ? 'in a moment' : 'just now';
  const age = formatAge(now, at);
  if (!/^\d/.test(age) || /[A-Z]/.test(age)) return age;
  return difference < 0 ? `in ${age}` : `${age} ago`;
}

function formatAge(now: Date, at: Date): string {
  const age = Math.abs(now.getTime() - at.getTime());
  if (age < MINUTE) return `${Math.floor(age / 1000)} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)} d`;
  const sameYear = now.getUTCFullYear() === at.getUTCFullYear();
  return at.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(!sameYear && { year: 'numeric' }),
  });
}

/** A duration in its largest two units. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}
