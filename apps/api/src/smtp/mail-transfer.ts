import type { Readable } from 'node:stream';
import { TransferProgress } from '../edge/transfer-progress.js';
import { SmtpRefusal } from './smtp-refusal.js';

/**
 * The bytes of a mail while they arrive. A sender that sends next to nothing holds the place of others, so it is sent away.
 * The time in which the bytes are kept is not counted: the sender has to wait then.
 */
export async function* arrivingBytes(stream: Readable, windowMs: number): AsyncGenerator<Uint8Array> {
  const progress = new TransferProgress(windowMs);
  const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let waitedMs = 0;
  let waitsSince: number | null = performance.now();
  const look = setInterval(() => {
    if (waitsSince === null || !progress.isStalled(waitedMs + performance.now() - waitsSince, bytes)) return;
    stream.destroy(new SmtpRefusal(421, 'The mail arrives too slowly'));
  }, windowMs / 4);
  try {
    for await (const chunk of chunks) {
      waitedMs += performance.now() - waitsSince;
      waitsSince = null;
      bytes += chunk.length;
      yield chunk;
      waitsSince = performance.now();
    }
  } finally {
    clearInterval(look);
  }
}
