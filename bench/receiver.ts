import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The smallest receiver that can still tell what it saw. An event's id carries the millisecond it was written in, so
 * the time from there to here needs no second channel.
 */
let seen = 0;
let latencies: number[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') response.end(JSON.stringify(stats()));
  else if (request.method === 'DELETE') reset(response);
  else take(request, response);
});

function reset(response: ServerResponse): void {
  seen = 0;
  latencies = [];
  response.end();
}

function take(request: IncomingMessage, response: ServerResponse): void {
  const now = Date.now();
  request.resume();
  request.on('end', () => {
    seen += 1;
    const id = request.headers['webhook-id'];
    if (typeof id === 'string') latencies.push(now - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
    response.writeHead(204).end();
  });
}

function stats() {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { seen, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`),
);
