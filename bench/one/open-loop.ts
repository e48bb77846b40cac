import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { markedText } from './mark.js';

/** Sends each request when it is due, whatever became of earlier ones, so that waiting shows as latency. */
export interface OpenLoop {
  readonly base: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly targets: readonly Target[];
  /** A receiver that records only marked events. */
  readonly practiceAt: string;
}

export interface Target {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Fields beside the text. */
  readonly fields?: object;
}

async function readSpec(): Promise<OpenLoop> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as OpenLoop;
}

const PRACTICE_REQUESTS = 500;
const PRACTICE_AT_ONCE = 10;

const { base, perSecond, seconds, targets, practiceAt } = await readSpec();
const dispatcher = new Agent({ connections: 64 });
const running: Promise<void>[] = [];
let refused = 0;

async function send({ path, headers, fields }: Target): Promise<void> {
  const body = JSON.stringify({ ...fields, body: markedText() });
  const answer = await request(new URL(path, base), { method: 'POST', headers, body, dispatcher });
  if (answer.statusCode !== 201) refused += 1;
  await answer.body.dump();
}

/**
 * Without this, this newly started process would take a third of two cores from the measured ones in the first half
 * second.
 */
async function practise(): Promise<void> {
  const body = JSON.stringify({ body: 'Thank you, that helped.' });
  for (let count = 0; count < PRACTICE_REQUESTS / PRACTICE_AT_ONCE; count++) {
    const answer = await request(practiceAt, { method: 'POST', body, dispatcher });
    await answer.body.dump();
  }
}

await Promise.all(Array.from({ length: PRACTICE_AT_ONCE }, practise));
const started = performance.now();
for (const total = perSecond * seconds; running.length < total; await wait(1)) {
  const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
  while (running.length < due) running.push(send(targets[running.length % targets.length]!));
}
await Promise.all(running);
process.stdout.write(`${JSON.stringify({ sent: running.length, refused })}\n`);
await dispatcher.close();
