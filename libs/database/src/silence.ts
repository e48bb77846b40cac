import net from 'node:net';
import type { Client } from 'pg';

/** How long an answer may take before the server is asked whether it is there. */
const SILENCE_MS = 5_000;
const ASK_TIMEOUT_MS = 4_000;

/** Any PostgreSQL and any pooler answers it with one letter, before a password is asked for. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Ends a connection on which an answer is waited for, when its server is gone. A host that vanishes sends no reset, and
 * the system would wait for a quarter of an hour. A statement that merely takes long goes on, up to `maxSilenceMs`.
 */
export function watchSilence(client: Client, maxSilenceMs = Number.POSITIVE_INFINITY): void {
  const { stream } = client.connection as unknown as { stream: net.Socket };
  let silence = { readBytes: 0, ms: 0 };
  const look = async (): Promise<void> => {
    if (!isWaiting(client)) return;
    const { bytesRead } = stream;
    silence = { readBytes: bytesRead, ms: SILENCE_MS + (silence.readBytes === bytesRead ? silence.ms : 0) };
    const isLost = !(await isThere(stream)) || silence.ms >= maxSilenceMs;
    if (stream.destroyed || stream.bytesRead !== bytesRead) return;
    if (isLost) stream.destroy(new Error('The connection is lost: PostgreSQL does not answer'));
    else stream.setTimeout(SILENCE_MS);
  };
  stream.on('timeout', () => void look());
  stream.setTimeout(SILENCE_MS);
}

const isWaiting = (client: Client): boolean => !(client as unknown as { readyForQuery: boolean }).readyForQuery;

/** Whether the same host and port still answer a stranger. A socket of this machine is there. */
function isThere({ remoteAddress: host, remotePort: port }: net.Socket): Promise<boolean> {
  if (host === undefined || port === undefined) return Promise.resolve(true);
  return new Promise((resolve) => {
    const stranger = net.connect({ host, port, timeout: ASK_TIMEOUT_MS });
    const answer = (there: boolean) => () => {
      stranger.destroy();
      resolve(there);
    };
    stranger.once('connect', () => stranger.write(SSL_REQUEST));
    stranger
      .once('data', answer(true))
      .once('timeout', answer(false))
      .once('error', answer(false))
      .once('end', answer(false));
  });
}
