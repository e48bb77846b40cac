import type { INestApplicationContext } from '@nestjs/common';

/** How one is asked to stop. Other signals mean other things: SIGUSR2 may be asked for a picture of the heap. */
const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Past the grace the parts had: whatever still hangs is not worth waiting for. */
const LAST_MOMENT_MS = 1000;

/**
 * Asked to stop, a process takes no more, finishes what it has in hand and exits with 0. What does not end in time is
 * cut off: an orchestrator would kill it anyway, and nothing that matters lives in the process alone.
 */
export function enableGracefulShutdown(app: INestApplicationContext, graceMs: number): void {
  for (const signal of STOPPING)
    process.once(signal, () => setTimeout(() => process.exit(0), graceMs + LAST_MOMENT_MS).unref());
  app.enableShutdownHooks([...STOPPING], { useProcessExit: true });
}
