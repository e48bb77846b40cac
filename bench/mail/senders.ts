import { setTimeout as wait } from 'node:timers/promises';
import { nowUs } from '../one/mark.js';
import { SmtpConnection } from './smtp-connection.js';

/** Input of the sending process. Without a pace, each connection sends emails back to back. */
export interface SendingSpec {
  readonly port: number;
  readonly to: string;
  readonly count: number;
  readonly connections: number;
  readonly perSecond?: number;
  /** Senders differ between runs. */
  readonly run: string;
}

export interface Sent {
  readonly seconds: number;
  /** When each email was accepted, by when it was sent. */
  readonly accepted: [sentUs: number, acceptedUs: number][];
}

async function readSpec(): Promise<SendingSpec> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as SendingSpec;
}

const { port, to, count, connections, perSecond, run } = await readSpec();
const free = await Promise.all(Array.from({ length: connections }, () => SmtpConnection.open(port)));
const accepted: Sent['accepted'] = [];

/** An email of usual size from a new sender. */
function mailOf(number: number, sentUs: number) {
  const from = `customer-${run}-${number}@client.test`;
  const head = [
    `From: Customer ${number} <${from}>`,
    `To: ${to}`,
    `Subject: Question sent:${sentUs};`,
    `Message-ID: <${run}-${number}@client.test>`,
    'Date: Mon, 03 Mar 2025 10:11:12 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=edge',
  ];
  const words = 'The printer on the second floor prints nothing but stripes since this morning.\r\n'.repeat(15);
  const parts = [
    `--edge\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${words}`,
    `--edge\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${words}</p>`,
  ];
  return { from, to, text: `${head.join('\r\n')}\r\n\r\n${parts.join('')}--edge--` };
}

async function bring(connection: SmtpConnection, number: number): Promise<void> {
  const sentUs = nowUs();
  await connection.bring(mailOf(number, sentUs));
  accepted.push([sentUs, nowUs()]);
}

async function oneAfterTheOther(): Promise<void> {
  let next = 0;
  await Promise.all(
    free.map(async (connection) => {
      while (next < count) await bring(connection, next++);
    }),
  );
}

/** Sent when due, whatever became of earlier emails; it waits only for a connection. */
async function atPace(rate: number): Promise<void> {
  const running: Promise<void>[] = [];
  const begun = performance.now();
  for (; running.length < count; await wait(1)) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) / 1000) * rate));
    while (running.length < due && free.length > 0) {
      const connection = free.shift()!;
      running.push(bring(connection, running.length).then(() => void free.push(connection)));
    }
  }
  await Promise.all(running);
}

const started = performance.now();
await (perSecond === undefined ? oneAfterTheOther() : atPace(perSecond));
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ seconds, accepted } satisfies Sent)}\n`);
for (const connection of free) connection.close();
