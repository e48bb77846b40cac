import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { markedText } from '../one/mark.js';
import type { Target } from '../one/open-loop.js';

/** Clients in a process of their own. Each sends its next request when the last is answered, or when one is due. */
export interface ClientsSpec {
  readonly base: string;
  readonly targets: readonly Target[];
  readonly clients: number;
  /** Requests that are due, even if earlier ones have no response yet. Otherwise each client waits for a response before its next request. */
  readonly perSecond?: number | undefined;
  readonly seconds: number;
}

export interface ClientsResult {
  readonly accepted: number;
  /** Refused with 429 or 503 and `Retry-After`. */
  readonly refused: number;
  /** Due while all clients waited for answers. */
  readonly unsent: number;
  /** Responses of any other kind, by status. */
  readonly others: Readonly<Record<string, number>>;
}

async function readSpec(): Promise<ClientsSpec> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as ClientsSpec;
}

/** A refused client ignores `Retry-After`, as impatient ones do. */
const AGAIN_AFTER_MS = 100;

const { base, targets, clients, perSecond, seconds } = await readSpec();
const dispatcher = new Agent({ connections: clients, pipelining: 1 });
const others: Record<string, number> = {};
let [sent, accepted, refused, unsent] = [0, 0, 0, 0];

async function send(): Promise<boolean> {
  const { path, headers, fields } = targets[sent++ % targets.length]!;
  const body = JSON.stringify({ ...fields, body: markedText() });
  const answer = await request(new URL(path, base), { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
  if (answer.statusCode === 201) accepted += 1;
  if (answer.statusCode === 201) return true;
  const isRefused = [429, 503].includes(answer.statusCode) && answer.headers['retry-after'] !== undefined;
  if (isRefused) refused += 1;
  else others[answer.statusCode] = (others[answer.statusCode] ?? 0) + 1;
  return false;
}

async function client(end: number): Promise<void> {
  while (performance.now() < end) if (!(await send())) await wait(AGAIN_AFTER_MS);
}

async function sendWhenDue(rate: number): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const started = performance.now();
  for (let due = 0; due < rate * seconds; await wait(1)) {
    for (const now = ((performance.now() - started) / 1000) * rate; due < now; due++) {
      if (running.size === clients) unsent += 1;
      else {
        const sending = send().finally(() => running.delete(sending));
        running.add(sending);
      }
    }
  }
  await Promise.all(running);
}

const end = performance.now() + seconds * 1000;
if (perSecond) await sendWhenDue(perSecond);
else await Promise.all(Array.from({ length: clients }, () => client(end)));
process.stdout.write(`${JSON.stringify({ accepted, refused, unsent, others } satisfies ClientsResult)}\n`);
await dispatcher.close();
