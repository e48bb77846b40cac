import type { Span } from './measures.js';

/** What was seen of a fault from outside. */
export interface FaultOutcome {
  /** When another server had taken the place of the one that was struck. */
  readonly promotedAtMs?: number;
  /** When nothing could be expected of a worker; of all, unless one is named. */
  readonly away?: Span & { readonly worker?: string };
  /** What was committed then is not there any more. */
  readonly takenBack?: Span;
}
