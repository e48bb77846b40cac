import { setTimeout as pause } from 'node:timers/promises';
import type { ProductProcess } from './product-process.js';
import { describeExit, lastLines } from './program.js';
import { UserFacingError } from './terminal.js';

const READY_TIMEOUT_MS = 60_000;

/** Resolves when both apps are ready. Rejects if one ends before that, because a restart would not help. */
export async function waitUntilReady(
  { HOST, PORT, WORKER_PORT }: NodeJS.ProcessEnv,
  apps: ProductProcess[],
): Promise<void> {
  const ended = new AbortController();
  const failures = apps.map(async (app) => {
    const { name, log } = app.running.program;
    const exit = await app.running.exited;
    throw new UserFacingError(`the ${name} ${describeExit(exit)}. Its log ends with${lastLines(log)}`);
  });
  const ready = [PORT, WORKER_PORT].map((port) =>
    waitUntilAnswering(`http://${connectableHost(HOST ?? '')}:${port}/readyz`, ended.signal),
  );
  try {
    await Promise.race([...failures, Promise.all(ready)]);
  } finally {
    ended.abort();
  }
}

async function waitUntilAnswering(address: string, ended: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  while (!ended.aborted) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
    if (Date.now() > giveUpAt)
      throw new UserFacingError(
        `Not ready within a minute: ${address} ${describeResponse(answer)}. The logs tell more.`,
      );
    await pause(50);
  }
}

function describeResponse(answer: Response | undefined): string {
  return answer ? `answers ${answer.status}` : 'does not answer';
}

export function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
