import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

/** Runs in its own process: probes the API again and again, until its standard input ends. */
const [base = '', pid = '', everyMs = '20', connections = 'kept'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: connections === 'kept' });

/** Milliseconds until the response, and the same without the time in which one of the two processes had no core. */
const waited: number[] = [];
const charged: number[] = [];
let refused = 0;

/** Linux counts the time for which a runnable thread had no core. Other systems do not. */
function withoutCoreMs(process: string): number {
  try {
    return Number(readFileSync(`/proc/${process}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

const bothWithoutCoreMs = (): number => withoutCoreMs(pid) + withoutCoreMs('self');

function ask(): void {
  const began = performance.now();
  const before = bothWithoutCoreMs();
  const note = (ok: boolean): void => {
    const ms = performance.now() - began;
    waited.push(ms);
    charged.push(Math.max(0, ms - (bothWithoutCoreMs() - before)));
    if (!ok) refused++;
  };
  get(`${base}/healthz`, { agent }, (answer) => {
    answer.resume().on('end', () => note(answer.statusCode === 200));
  }).on('error', () => note(false));
}

const timer = setInterval(ask, Number(everyMs));
process.stdin.resume().on('end', () => {
  clearInterval(timer);
  agent.destroy();
  process.stdout.write(`${JSON.stringify({ refused, waited: summary(waited), charged: summary(charged) })}\n`);
});

function summary(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: sorted.at(-1) ?? 0 };
}
