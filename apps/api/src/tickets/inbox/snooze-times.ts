import { later } from '#libs/database';
import { InvalidField } from '#libs/entities';
import type { FormFields } from '../../layers/ui/form-fields.js';
import { clockTime, inTimeZone, momentOf, shortDate } from '../../layers/ui/zoned-time.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;
const MORNING = '09:00';

export const SNOOZE_CHOICES = [
  { value: 'hours', label: 'For 3 hours' },
  { value: 'tomorrow', label: `Until tomorrow, ${MORNING}` },
  { value: 'monday', label: `Until Monday, ${MORNING}` },
] as const;

/** Local times, so that a button of an old page does what it says. On a Sunday, Monday is tomorrow. */
export function sendChoices(now: Date, timeZone: string): { readonly value: string; readonly label: string }[] {
  const [tomorrow, monday] = (['tomorrow', 'monday'] as const).map((day) => {
    const at = chosenTime(day, now, timeZone);
    const name = day === 'monday' ? 'Monday' : day;
    const label = `Send ${name}, ${shortDate(at, now, timeZone)}, ${MORNING}`;
    return { value: `${inTimeZone(at, timeZone).date}T${MORNING}`, label };
  });
  return tomorrow!.value === monday!.value ? [tomorrow!] : [tomorrow!, monday!];
}

export const NO_LONGER_SNOOZED = 'no longer snoozed';

/** Reads `until` of a form, and says what follows. */
export function snoozeIn(form: FormFields, now: Date, timeZone: string) {
  const snoozedUntil = chosenTime(form.text('until'), now, timeZone);
  return { snoozedUntil, words: `snoozed until ${clockTime(snoozedUntil, now, timeZone)}` };
}

/** Reads `send_at`: the choice of a button, else the field, which also counts when Enter or Send is pressed. */
export function sendTimeIn(form: FormFields, timeZone: string): ((now: Date) => Date) | undefined {
  const wanted = form.texts('send_at').find(Boolean);
  if (!wanted && form.text('schedule')) throw new InvalidField('send_at', 'required', 'Choose a time.');
  return wanted === undefined ? undefined : (now) => requireWithinYear(chosenTime(wanted, now, timeZone), now);
}

function requireWithinYear(at: Date, now: Date): Date {
  if (at > now && at <= later(now, YEAR_MS)) return at;
  throw new InvalidField('send_at', 'out_of_range', 'Choose a time within the next year to send the reply.');
}

/** Parses a choice, or a local time such as `2026-11-23T14:05`. */
export function chosenTime(wanted: string, now: Date, timeZone: string): Date {
  if (wanted === 'hours') return new Date(now.getTime() + 3 * HOUR_MS);
  if (wanted === 'tomorrow') return morningIn(1, now, timeZone);
  if (wanted === 'monday') return morningIn(daysUntilMonday(now, timeZone), now, timeZone);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wanted) || Number.isNaN(Date.parse(`${wanted}Z`)))
    throw new InvalidField('time', 'malformed', 'Choose a date and a time.');
  return momentOf(wanted, timeZone);
}

function morningIn(days: number, now: Date, timeZone: string): Date {
  const { date } = inTimeZone(now, timeZone);
  const day = new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length);
  return momentOf(`${day}T${MORNING}`, timeZone);
}

function daysUntilMonday(now: Date, timeZone: string): number {
  const { date } = inTimeZone(now, timeZone);
  return ((7 - new Date(`${date}T00:00Z`).getUTCDay()) % 7) + 1;
}
