/** The formats of RFC 9110, 5.6.7. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Null if missing or invalid. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // The third format has no zone. It is GMT.
  const at = HTTP_DATES.some((format) => format.test(text)) ? Date.parse(`${text.replace(/ GMT$/, '')} GMT`) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
