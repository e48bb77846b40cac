import { type AddressInfo, type Socket, createServer } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

/** Returns the whole response to a request. Header names are in lower case, as our clients write them. */
export type Answer = (head: string, body: Buffer) => string;

export interface ByHandOptions {
  readonly answer: Answer;
  /** Duration of a POST. */
  readonly answersAfterMs?: number;
}

/**
 * A minimal HTTP server written by hand: the CPU time it uses is missing for the measured code on the same cores. It
 * prints its port.
 */
export function serveByHand({ answer, answersAfterMs = 0 }: ByHandOptions): void {
  const server = createServer({ noDelay: true }, (socket) => {
    let unread: Buffer = Buffer.alloc(0);
    // A measurement may kill the posting process.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      unread = answerAll(socket, unread.length === 0 ? chunk : Buffer.concat([unread, chunk]));
    });
  });

  /** Answers every complete request. Returns the beginning of the next one. */
  function answerAll(socket: Socket, bytes: Buffer): Buffer {
    for (;;) {
      const end = bytes.indexOf(END_OF_HEAD);
      if (end < 0) return bytes;
      const head = bytes.toString('latin1', 0, end + 2);
      const start = end + END_OF_HEAD.length;
      const length = start + Number(header(head, 'content-length') ?? 0);
      if (bytes.length < length) return bytes;
      const said = answer(head, bytes.subarray(start, length));
      if (answersAfterMs > 0 && head.startsWith('POST')) setTimeout(() => socket.write(said), answersAfterMs);
      else socket.write(said);
      bytes = bytes.subarray(length);
    }
  }

  server.listen(0, '127.0.0.1', () =>
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
  );
}

export function header(head: string, name: string): string | undefined {
  const start = head.indexOf(`\r\n${name}: `);
  if (start < 0) return undefined;
  const value = start + name.length + 4;
  return head.slice(value, head.indexOf('\r\n', value));
}

export const TAKEN = 'HTTP/1.1 204 No Content\r\n\r\n';

export const withBody = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
