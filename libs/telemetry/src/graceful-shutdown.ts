import { setTimeout as wait } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Added to the grace, for the exit itself. */
const EXIT_MARGIN_MS = 1000;

type ShutdownOptions = { readonly graceMs: number; readonly drainMs?: number; readonly onDrain?: () => void };

/**
 * After a signal, accepts work for `drainMs` or until a second signal, finishes what it has begun and exits with 0. Work
 * that takes longer than `graceMs` is aborted: an orchestrator would kill the process anyway, and no state lives in the
 * process alone.
 */
export function enableGracefulShutdown(app: INestApplicationContext, options: ShutdownOptions): void {
  const { graceMs, drainMs = 0, onDrain = () => undefined } = options;
  const drain = new AbortController();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    onDrain();
    if (drainMs > 0) await wait(drainMs, undefined, { signal: drain.signal }).catch(() => undefined);
    setTimeout(() => process.exit(0), graceMs + EXIT_MARGIN_MS).unref();
    app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
    process.kill(process.pid, signal);
  };
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) return drain.abort();
    isStopping = true;
    void stop(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
