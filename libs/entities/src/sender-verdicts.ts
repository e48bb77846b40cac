/** How a server finds out whether a mail comes from whom it says. */
export const SENDER_CHECKS = ['spf', 'dkim', 'dmarc'] as const;
/** Its words for that (RFC 8601). */
export const SENDER_RESULTS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] as const;
export type SenderResult = (typeof SENDER_RESULTS)[number];

/** Null for what was not looked at. */
export type SenderVerdicts = Readonly<Record<(typeof SENDER_CHECKS)[number], SenderResult | null>>;
