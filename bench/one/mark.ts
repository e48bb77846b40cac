/**
 * The send time of a request, written into its text so that it reaches the receiver with the event. Microseconds of the
 * machine’s monotonic clock, which all processes share.
 */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

const MARK = 'sent:';

export const markedText = (): string => `Thank you, that helped. ${MARK}${nowUs()};`;

export function markIn(body: Buffer): number | undefined {
  const start = body.indexOf(MARK);
  return start < 0 ? undefined : Number.parseInt(body.toString('latin1', start + MARK.length, start + 40), 10);
}
