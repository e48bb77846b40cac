import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError } from './terminal.js';

/** It lets go of its connection when the signal comes. */
type Ask = (signal: AbortSignal) => Promise<void>;

const PATIENCE_MS = 5_000;
/** It may be starting at this moment, as in a set of containers. What is wrong in any other way stays wrong. */
const PERHAPS_LATER = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', '57P03']);

/** Of a server that somebody else runs: who starts with it is told at once when it is not there. */
export async function assertAnswers(name: string, setting: string, ask: Ask): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const refusal = await withDeadline(ask).then(
      () => undefined,
      (error: Error & { code?: string }) => error,
    );
    if (!refusal) return;
    if (Date.now() > giveUpAt || !PERHAPS_LATER.has(refusal.code ?? ''))
      throw new UserFacingError(
        `${name} at ${setting} does not answer (${refusal.message || refusal.code}): start that server, correct ${setting}, or unset it and one is started here.`,
      );
    await pause(250);
  }
}

/** A host that swallows everything never refuses. */
function withDeadline(ask: Ask): Promise<void> {
  const settled = new AbortController();
  const late = pause(PATIENCE_MS, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no answer within ${PATIENCE_MS / 1000} s`);
  });
  return Promise.race([ask(settled.signal), late]).finally(() => settled.abort());
}
