const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** W3C Trace Context, level 1. Invalid ones are ignored, as it demands. */
export const validTraceparent = (header: unknown): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

export const traceIdOf = (traceparent: unknown): string | undefined =>
  TRACEPARENT.exec(validTraceparent(traceparent) ?? '')?.[1];
