import { freePort } from '../apps/launcher/src/ports.js';
import { ready } from '#test/support/app-process.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import type { BenchSetup } from './delivery/bench-setup.js';

const STARTS = 5;
const MESSAGES = 300;

interface FirstMessages {
  readonly firstMs: number;
  /** The median of the first fifty. */
  readonly slowestMs: number;
  /** The median of the last hundred. */
  readonly laterMs: number;
}

/** Time of each of the first messages after `/readyz`, and of later ones. The median of five starts. */
export async function measureFirstMessages(setup: BenchSetup): Promise<FirstMessages> {
  const account = await seedAccount(setup.sql);
  const ticket = { body: 'Hello', from: 'customer@client.test', to: account.mailbox.email };
  await withApi(setup, (base) => post(account, `${base}/v1/tickets`, ticket));
  const all: FirstMessages[] = [];
  for (let start = 0; start < STARTS; start++) all.push(await withApi(setup, (base) => timeMessages(account, base)));
  const middle = (key: keyof FirstMessages): number => median(all.map((one) => one[key]));
  return { firstMs: middle('firstMs'), slowestMs: middle('slowestMs'), laterMs: middle('laterMs') };
}

async function timeMessages(account: SeededAccount, base: string): Promise<FirstMessages> {
  const times: number[] = [];
  for (let sent = 0; sent < MESSAGES; sent++) {
    const began = performance.now();
    await post(account, `${base}/v1/tickets/1/messages`, { body: 'Thank you, that helped.' });
    times.push(performance.now() - began);
  }
  return { firstMs: times[0]!, slowestMs: Math.max(...times.slice(0, 50)), laterMs: median(times.slice(-100)) };
}

async function withApi<T>(setup: BenchSetup, work: (base: string) => Promise<T>): Promise<T> {
  const port = `${await freePort()}`;
  const base = `http://127.0.0.1:${port}`;
  const process = setup.process('api.js', {
    environment: { PORT: port, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' },
  });
  await ready(base);
  try {
    return await work(base);
  } finally {
    await process.stop();
  }
}

async function post({ owner }: SeededAccount, url: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  await answer.text();
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
