import { usePageContext } from '../page-context.js';
import { inTimeZone, shortDate } from '../zoned-time.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function RelativeTime({ at, short = false }: { at: Date; short?: boolean }) {
  const { now, me } = usePageContext();
  return (
    <time dateTime={at.toISOString()} title={formatExactTime(at, me.timeZone)}>
      {short ? formatAge(now, at, me.timeZone) : formatRelativeTime(now, at, me.timeZone)}
    </time>
  );
}

/** How long a customer has waited. */
export function WaitingTime({ since }: { since: Date }) {
  const { now, me } = usePageContext();
  const waited = now.getTime() - since.getTime();
  const tone = waited > DAY ? ' bad' : waited > 4 * HOUR ? ' warn' : '';
  return (
    <time
      class={`when${tone}`}
      dateTime={since.toISOString()}
      title={`Waiting since ${formatExactTime(since, me.timeZone)}`}
    >
      {`Waiting ${formatWait(waited)}`}
    </time>
  );
}

function formatWait(ms: number): string {
  if (ms < HOUR) return `${Math.max(1, Math.floor(ms / MINUTE))} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? '1 day' : `${days} days`;
}

export function ExactTime({ at }: { at: Date }) {
  const { me } = usePageContext();
  return <time dateTime={at.toISOString()}>{formatExactTime(at, me.timeZone)}</time>;
}

function formatExactTime(at: Date, timeZone: string): string {
  const { date, time, zone } = inTimeZone(at, timeZone);
  return `${date} ${time} ${zone}`;
}

function formatRelativeTime(now: Date, at: Date, timeZone: string): string {
  const difference = now.getTime() - at.getTime();
  if (Math.abs(difference) < MINUTE) return difference < 0 ? 'in a moment' : 'just now';
  const age = formatAge(now, at, timeZone);
  if (!/^\d/.test(age) || /[A-Z]/.test(age)) return age;
  return difference < 0 ? `in ${age}` : `${age} ago`;
}

function formatAge(now: Date, at: Date, timeZone: string): string {
  const age = Math.abs(now.getTime() - at.getTime());
  // A snooze of three hours is back in 3 h, also a second later.
  const whole = at > now ? Math.round : Math.floor;
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${whole(age / MINUTE)} min`;
  if (age < DAY) return `${whole(age / HOUR)} h`;
  if (age < 7 * DAY) return `${whole(age / DAY)} d`;
  return shortDate(at, now, timeZone);
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

export const secondsUntil = (until: Date, now: Date): number =>
  Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));

/** The seconds left. A script counts down; without it, the number stays as rendered. */
export function Countdown({ until, before, over }: { until: Date; before: string; over: string }) {
  const { now } = usePageContext();
  const seconds = secondsUntil(until, now);
  return (
    <span data-left-ms={Math.max(0, until.getTime() - now.getTime())} data-before={before} data-over={over}>
      {seconds > 0 ? `${before} ${seconds} s` : over}
    </span>
  );
}
