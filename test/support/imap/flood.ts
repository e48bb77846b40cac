import type { Socket } from 'node:net';

const CHUNK_BYTES = 65_536;

/** Writes a text again and again at the pace of the client, until the connection ends. */
export function flood(socket: Socket, beginning: string, text: string): void {
  const more = Buffer.from(text.repeat(Math.ceil(CHUNK_BYTES / text.length)));
  const write = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', write);
  socket.write(beginning);
  write();
}
