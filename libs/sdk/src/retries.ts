import { DeskwireError } from './deskwire-error.js';
import { NetworkFailure } from './network-failure.js';
import { OAuthRefused } from './oauth.js';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A server that wants to be left alone for longer than this is not waited for. */
const MAX_WAIT_MS = 120_000;
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * What may be otherwise a little later: the network, a busy server, or the same request still under way. Anything else
 * fails again, such as a grant that was revoked, an address that is none, or a store of tokens that cannot be read.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DeskwireError) return PASSING.has(error.status) || error.code === 'request_in_progress';
  if (error instanceof OAuthRefused) return PASSING.has(error.status);
  return error instanceof NetworkFailure;
}

/** As long as the server says, or else twice as long each time, with chance in it; undefined when that is too long. */
export function delayBefore(failures: number, answer?: Response): number | undefined {
  const told = retryAfterMs(answer?.headers.get('retry-after') ?? null);
  if (told !== undefined) return told <= MAX_WAIT_MS ? told : undefined;
  return Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
}

/** Seconds, or a date. */
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
