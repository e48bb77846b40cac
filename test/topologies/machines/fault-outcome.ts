import type { Span } from './measures.js';

export interface FaultOutcome {
  /** When another server had replaced the failed one. */
  readonly promotedAtMs?: number;
  /** When a worker, or all without a name, could not deliver. */
  readonly away?: Span & { readonly worker?: string };
  /** Commits of this span are lost. */
  readonly takenBack?: Span;
}
