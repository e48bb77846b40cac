import type { INestApplicationContext } from '@nestjs/common';

/** Past the grace the parts had: whatever still hangs is not worth waiting for. */
const LAST_MOMENT_MS = 1000;

/**
 * Asked to stop, a process takes no more, finishes what it has in hand and exits with 0. What does not end in time is
 * cut off: an orchestrator would kill it anyway, and nothing that matters lives in the process alone.
 */
export function endInTime(app: INestApplicationContext, graceMs: number): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => setTimeout(() => process.exit(0), graceMs + LAST_MOMENT_MS).unref());
  app.enableShutdownHooks(undefined, { useProcessExit: true });
}
