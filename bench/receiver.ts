import { TAKEN, header, serveByHand, withBody } from './http-by-hand.js';

/**
 * An event's id contains the millisecond in which it was written, so latency needs no second channel. The argument is
 * the duration of a POST in milliseconds.
 */
let seen = 0;
let latencies: number[] = [];

serveByHand({ answer, answersAfterMs: Number(process.argv[2] ?? 0) });

function answer(head: string): string {
  if (head.startsWith('GET /seen')) return withBody(JSON.stringify({ seen }));
  if (head.startsWith('GET')) return withBody(JSON.stringify(stats()));
  if (head.startsWith('DELETE')) return forget();
  const id = header(head, 'webhook-id');
  seen += 1;
  if (id !== undefined) latencies.push(Date.now() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
  return TAKEN;
}

function forget(): string {
  seen = 0;
  latencies = [];
  return TAKEN;
}

/** Sorts everything received. Call it after the measurement; `/seen` can be called during it. */
function stats() {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { seen, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
