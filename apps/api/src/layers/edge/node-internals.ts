import type { Socket } from 'node:net';

/**
 * Bytes that the system has not taken yet. `writableLength` counts a write until all of it is taken, so a slow reader of a
 * large response would look stalled. Node's own time-outs read this field too:
 * https://github.com/nodejs/node/blob/v20.20.2/lib/net.js
 */
export function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}
