/** The zone is an abbreviation such as `CET` or `GMT+5:30`. */
export function inTimeZone(at: Date, timeZone: string) {
  const parts = formatOf(timeZone).formatToParts(at);
  const named = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second, timeZoneName: zone = '', weekday = '' } = named;
  return { date: `${year}-${month}-${day}`, time: `${hour}:${minute}:${second}`, zone, weekday };
}

/** `23 Nov`, with the year if it is not the current one. */
export function shortDate(at: Date, now: Date, timeZone: string): string {
  const { date } = inTimeZone(at, timeZone);
  const { date: today } = inTimeZone(now, timeZone);
  const [year, month, day] = date.split('-');
  const name = MONTHS[Number(month) - 1]!;
  return today.startsWith(`${year}-`) ? `${Number(day)} ${name}` : `${Number(day)} ${name} ${year}`;
}

/** Converts a local time such as `2026-11-23T14:05`. A time that the zone skips becomes one near it. */
export function momentOf(local: string, timeZone: string): Date {
  const wanted = Date.parse(`${local}:00Z`);
  let at = wanted;
  // The second turn corrects a guess on the other side of a clock change.
  for (let turn = 0; turn < 2; turn++) {
    const { date, time } = inTimeZone(new Date(at), timeZone);
    at += wanted - Date.parse(`${date}T${time}Z`);
  }
  return new Date(at);
}

/** `14:05`, with the date if it is not today. */
export function clockTime(at: Date, now: Date, timeZone: string): string {
  const { date, time } = inTimeZone(at, timeZone);
  const { date: today } = inTimeZone(now, timeZone);
  const minutes = time.slice(0, 'hh:mm'.length);
  return date === today ? minutes : `${minutes} on ${shortDate(at, now, timeZone)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'] as const;

/** A format takes longer to create than to use a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone) ?? newFormat(timeZone);
  formats.set(timeZone, known);
  return known;
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { ...PARTS, timeZone } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', options);
  } catch {
    // The time zone was chosen on a system that has more.
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  }
}

const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  weekday: 'long',
  timeZoneName: 'short',
} as const;
