import { setTimeout as wait } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';

/** How one is asked to stop. Other signals mean other things: SIGUSR2 may be asked for a picture of the heap. */
const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Past the grace the parts had: whatever still hangs is not worth waiting for. */
const LAST_MOMENT_MS = 1000;

interface ShutdownOptions {
  /** How long the parts may take to finish. */
  readonly graceMs: number;
  /** How long everything goes on before the parts are stopped. A second signal ends it. */
  readonly drainMs?: number;
  /** Called at the first signal. */
  readonly onDrain?: () => void;
}

/**
 * Asked to stop, a process says so, takes no more after a while, finishes what it has in hand and exits with 0. What does
 * not end in time is cut off: an orchestrator would kill it anyway, and nothing that matters lives in the process alone.
 */
export function enableGracefulShutdown(app: INestApplicationContext, options: ShutdownOptions): void {
  const { graceMs, drainMs = 0, onDrain = () => undefined } = options;
  const drain = new AbortController();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    onDrain();
    if (drainMs > 0) await wait(drainMs, undefined, { signal: drain.signal }).catch(() => undefined);
    setTimeout(() => process.exit(0), graceMs + LAST_MOMENT_MS).unref();
    app.enableShutdownHooks([...STOPPING], { useProcessExit: true });
    process.kill(process.pid, signal);
  };
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) return drain.abort();
    isStopping = true;
    void stop(signal);
  };
  for (const signal of STOPPING) process.on(signal, onSignal);
}
