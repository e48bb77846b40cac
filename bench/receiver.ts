import { type AddressInfo, type Socket, createServer } from 'node:net';

/**
 * A minimal receiver that speaks HTTP by hand, because the CPU time that it uses is missing for what
 * is measured on the same cores. An event's id carries the millisecond it was written in, so the time from there to here
 * needs no second channel. Its argument is how many milliseconds it takes to answer what is posted to it.
 */
const answersAfterMs = Number(process.argv[2] ?? 0);
let seen = 0;
let latencies: number[] = [];

const TAKEN = 'HTTP/1.1 204 No Content\r\n\r\n';
const END_OF_HEAD = '\r\n\r\n';

const server = createServer({ noDelay: true }, (socket) => {
  let unread: Buffer = Buffer.alloc(0);
  // A measurement may kill the process that posts.
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
    const length = end + END_OF_HEAD.length + Number(header(head, 'content-length') ?? 0);
    if (bytes.length < length) return bytes;
    const said = answer(head);
    if (answersAfterMs > 0 && head.startsWith('POST')) setTimeout(() => socket.write(said), answersAfterMs);
    else socket.write(said);
    bytes = bytes.subarray(length);
  }
}

function answer(head: string): string {
  if (head.startsWith('GET /seen')) return withBody(JSON.stringify({ seen }));
  if (head.startsWith('GET')) return withBody(JSON.stringify(stats()));
  if (head.startsWith('DELETE')) return forget();
  const id = header(head, 'webhook-id');
  seen += 1;
  if (id !== undefined) latencies.push(Date.now() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
  return TAKEN;
}

/** All of our clients write names in lower case. */
function header(head: string, name: string): string | undefined {
  const start = head.indexOf(`\r\n${name}: `);
  if (start < 0) return undefined;
  const value = start + name.length + 4;
  return head.slice(value, head.indexOf('\r\n', value));
}

function forget(): string {
  seen = 0;
  latencies = [];
  return TAKEN;
}

/** Sorts all that was seen: to be asked for when that is over, where `/seen` may be asked for all the time. */
function stats() {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { seen, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const withBody = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
);
