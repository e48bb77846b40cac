import { DeskwireError, NetworkFailure } from './errors.js';
import { OAuthRefused } from './oauth.js';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** The call fails rather than wait longer. */
const MAX_WAIT_MS = 120_000;
const TRANSIENT = new Set([408, 429, 500, 502, 503, 504]);

/** The network, a busy server, or the same request still in progress. Other failures would repeat. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DeskwireError) return TRANSIENT.has(error.status) || error.code === 'request_in_progress';
  if (error instanceof OAuthRefused) return TRANSIENT.has(error.status);
  return error instanceof NetworkFailure;
}

/** `Retry-After`, or exponential back-off with jitter. Undefined if that is too long. */
export function delayBefore(failures: number, response?: Response): number | undefined {
  const wantedMs = retryAfterMs(response?.headers.get('retry-after') ?? null);
  if (wantedMs !== undefined) return wantedMs <= MAX_WAIT_MS ? wantedMs : undefined;
  return Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}

export function pause(forMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, forMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Not `AbortSignal.any` with `AbortSignal.timeout`: Node 20 holds both weakly, and after a garbage collection the
 * timeout never fires.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly follow = () => this.controller.abort(this.caller?.reason);

  constructor(
    ms: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.timer = setTimeout(() => this.controller.abort(new DOMException('timed out', 'TimeoutError')), ms);
    if (caller?.aborted) this.follow();
    else caller?.addEventListener('abort', this.follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.follow);
  }
}
