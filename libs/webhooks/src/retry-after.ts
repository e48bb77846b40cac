const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

/** The three date forms that RFC 9110 section 5.6.7 tells a recipient to accept. */
const HTTP_DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/** How long a receiver asks to be left alone, or null where it said nothing that can be understood. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = httpDate(text, now);
  return at === null ? null : Math.max(0, at - now.getTime());
}

function httpDate(text: string, now: Date): number | null {
  for (const form of HTTP_DATES) {
    const parts = form.exec(text)?.groups;
    if (parts) return instant(parts, now);
  }
  return null;
}

function instant(parts: Record<string, string>, now: Date): number | null {
  const { day = '', month = '', year = '', hour = '', minute = '', second = '' } = parts;
  const monthIndex = MONTHS.indexOf(month);
  const fits = monthIndex >= 0 && +day >= 1 && +day <= 31 && +hour < 24 && +minute < 60 && +second <= 60;
  return fits ? Date.UTC(fullYear(year, now), monthIndex, +day, +hour, +minute, +second) : null;
}

/** A two-digit year more than 50 years ahead means the past century: RFC 9110's own rule. */
function fullYear(year: string, now: Date): number {
  if (year.length === 4) return +year;
  const thisYear = now.getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + +year;
  return inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury;
}
