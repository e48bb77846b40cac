import { Agent, request } from 'undici';

/** Requests to send as fast as `concurrency` clients can, from its own process. The list arrives on standard input. */
export interface LoadSpec {
  readonly base: string;
  readonly concurrency: number;
  readonly requests: readonly LoadRequest[];
}

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** The responses, for measurements that use them, such as refresh tokens. */
  readonly bodies?: readonly string[];
}

async function read(): Promise<LoadSpec & { keepBodies?: boolean }> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as LoadSpec & { keepBodies?: boolean };
}

const { base, concurrency, requests, keepBodies } = await read();
const dispatcher = new Agent({ connections: concurrency, pipelining: 1 });
const times: number[] = [];
const bodies: string[] = [];
let next = 0;

async function client(): Promise<void> {
  while (next < requests.length) {
    const { path, ...rest } = requests[next++]!;
    const began = performance.now();
    const answer = await request(new URL(path, base), { ...rest, dispatcher });
    const text = await answer.body.text();
    times.push(performance.now() - began);
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
    if (keepBodies) bodies.push(text);
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: concurrency }, client));
const seconds = (performance.now() - started) / 1000;
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const result: LoadResult = {
  perSecond: requests.length / seconds,
  p50: at(0.5),
  p99: at(0.99),
  ...(keepBodies && { bodies }),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
await dispatcher.close();
