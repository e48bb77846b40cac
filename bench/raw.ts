import { newWebhookSecret, signatureHeaders } from '#libs/delivery';
import { Agent, request } from 'undici';
import { sampleBody } from './sample.js';

/** Baseline (a): the same bodies, signed the same way, posted in a loop without database, queue or rules. */
const [url = '', countText = '20000', concurrencyText = '100'] = process.argv.slice(2);
const count = Number(countText);
const concurrency = Number(concurrencyText);
const agent = new Agent({ connections: concurrency, pipelining: 1 });
const secret = newWebhookSecret();
const body = Buffer.from(sampleBody);

async function post(number: number): Promise<void> {
  const headers = signatureHeaders({
    accountId: 'account',
    webhookId: 'webhook',
    eventId: `raw-${number}`,
    cause: { type: 'agent' },
    kind: 'ticket_started',
    sequence: number,
    attempt: 1,
    secrets: [secret],
    timestamp: new Date(),
    body,
    aliases: [],
    version: 'bench',
  });
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
  await answer.body.dump();
}

let next = 0;
async function loop(): Promise<void> {
  while (next < count) await post(next++);
}

const cpu = process.cpuUsage();
const started = performance.now();
await Promise.all(Array.from({ length: concurrency }, loop));
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
process.stdout.write(`${JSON.stringify({ perSecond: count / seconds, cpuMs: (user + system) / 1000 / count })}\n`);
await agent.close();
